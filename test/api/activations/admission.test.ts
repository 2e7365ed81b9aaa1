import { expect, test } from 'vitest'
import { recordWrongCode } from '../../../server/activations/admission/guessing.ts'
import { paceMillis } from '../../../server/activations/admission/pacing.ts'
import type { RequestContext } from '../../../server/kit/context.ts'
import { type Answer, everyScope } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, problemOf } from '../catalog/catalog-collection.ts'
import { pointersOf } from '../catalog/things-to-sell.ts'
import { devicesOf } from './devices.ts'

type Json = ReturnType<typeof JSON.parse>
const path = 'activations/admission/check'
const noSuchCode = 'ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ'

/** What an answer shows of itself to whoever asked. */
const shapeOf = ({ status, text, headers }: Answer) => {
  const shown = [...headers].filter(([name]) => name !== 'date')
  return {
    status,
    text,
    headers: shown.map(([name, value]) => [name, name === 'x-correlation-id' ? value.length : value]),
  }
}

forEachStore((store) => {
  const server = serveTests(store)
  const acme = devicesOf(server)
  const neighbour = devicesOf(server, { tenant: 'neighbour' })
  const sandbox = devicesOf(server, { tenant: 'sandbox' })
  const check = (activationCode: unknown, of = acme) => of.at('POST', path, { token: null, body: { activationCode } })
  const isAdmitted = async (code: string, of = acme) => (await must(check(code, of))).admitted as boolean

  /** An entitlement that is sold, and a code of it. */
  const sell = async (body: object = {}, code: object = {}, of = acme) => {
    const entitlement: Json = await of.newEntitlement(body)
    return { entitlement, code: await of.newCode(entitlement.id, code) }
  }
  const codeOf = async (body?: object, code?: object): Promise<string> => (await sell(body, code)).code.activationCode

  test.each([
    ['a code of an active entitlement', {}, {}],
    ['a code with a seat left', { licensePolicy: { maxDeviceActivations: 1 } }, { maxDeviceActivations: 1 }],
    [
      "a code that asks for less than the entitlement's policy",
      { activationPolicy: { requiredAuthenticationLevel: 'SignedIn' } },
      { requiredAuthenticationLevel: 'Default' },
    ],
    [
      'a code of which a user who signs in must be verified',
      { activationPolicy: { requireNewUserVerification: true } },
      {},
    ],
    ['a code for one device, which has not been shown', {}, { fingerprint: 'that one' }],
    [
      'a code that needs a product code, a scope and a network',
      {
        activationPolicy: { requireProductCode: true, allowedIpCidr: ['192.0.2.0/24'] },
        licensePolicy: { allowedApplicationScopes: ['editor'] },
      },
      {},
    ],
    ['a code of a trial that has not begun', { trialPolicy: { duration: 'P1D' } }, {}],
  ])('%s admits', async (_words, body, code) => {
    expect(await isAdmitted(await codeOf(body, code))).toBe(true)
  })

  test('a code admits however it is typed', async () => {
    const code = await codeOf()
    expect(await isAdmitted(`  ${code.toLowerCase().replaceAll('-', ' ')} `)).toBe(true)
  })

  /** Codes that admit nobody, each for a reason of its own. */
  const refusals: [string, () => Promise<string>][] = [
    ['that there is not', async () => noSuchCode],
    ['that there cannot be', async () => '☃'],
    ['of another tenant', async () => (await sell({}, {}, neighbour)).code.activationCode],
    ['of a draft', () => codeOf({ status: 'Draft' })],
    ['of an entitlement of the future', () => codeOf({ notValidBeforeDateTime: '2900-01-01T00:00:00Z' })],
    [
      'of a suspended entitlement',
      async () => {
        const { entitlement, code } = await sell()
        await acme.post(`admin/entitlements/${entitlement.id}/suspend`)
        return code.activationCode
      },
    ],
    [
      'of an entitlement that is over',
      async () => {
        const { entitlement, code } = await sell()
        await acme.patch(`admin/entitlements/${entitlement.id}`, { expirationDateTime: '2020-01-01T00:00:00Z' })
        return code.activationCode
      },
    ],
    [
      'of a deleted entitlement',
      async () => {
        const { entitlement, code } = await sell()
        await must(acme.at('DELETE', `admin/entitlements/${entitlement.id}`))
        return code.activationCode
      },
    ],
    [
      'that was revoked',
      async () => {
        const { entitlement, code } = await sell()
        await acme.post(`admin/entitlements/${entitlement.id}/activation-codes/${code.id}/revoke`)
        return code.activationCode
      },
    ],
    [
      'that was deleted',
      async () => {
        const { entitlement, code } = await sell()
        await must(acme.at('DELETE', `admin/entitlements/${entitlement.id}/activation-codes/${code.id}`))
        return code.activationCode
      },
    ],
    ['that asks for a sign-in', () => codeOf({}, { requiredAuthenticationLevel: 'SignedIn' })],
    [
      'whose entitlement asks for a second factor',
      () => codeOf({ activationPolicy: { requiredAuthenticationLevel: 'MultiFactor' } }),
    ],
    [
      'whose entitlement asks for a confirmed address',
      () => codeOf({ activationPolicy: { requiredAuthenticationLevel: 'EmailVerified' } }),
    ],
    [
      'for one user',
      async () => {
        const { id } = await acme.post('admin/users', { email: `u${nextNumber()}@x.example` })
        return codeOf({}, { requiredUserId: id })
      },
    ],
    [
      'for a group',
      async () => {
        const { id } = await acme.post('admin/organization-groups', { name: `Group ${nextNumber()}` })
        return codeOf({}, { organizationGroupId: id })
      },
    ],
    ['of an entitlement without a seat', () => codeOf({ licensePolicy: { maxDeviceActivations: 0 } })],
    [
      'whose entitlement has every seat taken',
      async () => {
        const code = await codeOf({ licensePolicy: { maxDeviceActivations: 1 } })
        await acme.newDevice(code)
        return code
      },
    ],
    [
      'that is used up',
      async () => {
        const code = await codeOf({}, { maxDeviceActivations: 1 })
        await acme.newDevice(code)
        return code
      },
    ],
  ]

  test('every no is one answer: the same status, headers and bytes', async () => {
    const expected = shapeOf(await check('no such code either'))
    expect([expected.status, expected.text]).toEqual([200, '{"admitted":false}'])
    const codes = await Promise.all(refusals.map(async ([reason, codeFor]) => [reason, await codeFor()] as const))
    for (const [reason, code] of codes) expect([reason, shapeOf(await check(code))]).toEqual([reason, expected])
  })

  test('no kind of no takes longer than another', { timeout: 60_000 }, async () => {
    const many = { licensePolicy: { licenseModel: 'Floating', maxDeviceActivations: 60 } }
    const full = await sell(many)
    for (let at = 0; at < 60; at++) await acme.newDevice(full.code.activationCode)
    await acme.patch(`admin/entitlements/${full.entitlement.id}`, {
      licensePolicy: { licenseModel: 'NodeLocked', maxDeviceActivations: 60 },
    })
    const codes = {
      unknown: noSuchCode,
      impossible: '☃',
      draft: await codeOf({ status: 'Draft' }),
      described: await codeOf({ status: 'Draft', description: 'x'.repeat(4000) }),
      full: full.code.activationCode as string,
    }
    const kinds = Object.keys(codes) as (keyof typeof codes)[]
    const times = new Map(kinds.map((kind) => [kind, [] as number[]]))
    for (let round = 0; round < 25; round++)
      for (const kind of kinds) {
        const asked = performance.now()
        expect(await isAdmitted(codes[kind])).toBe(false)
        times.get(kind)!.push(performance.now() - asked)
      }
    const medians = kinds.map((kind) => times.get(kind)!.toSorted((a, b) => a - b)[12]!)
    expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(1.5)
    // A timer may ring up to a millisecond early.
    expect(Math.min(...[...times.values()].flat())).toBeGreaterThan(paceMillis - 1)
  })

  test('a no says nothing that activation would not be said for', async () => {
    for (const [reason, codeFor] of refusals) {
      const { status } = await acme.activate(await codeFor(), `somebody new ${nextNumber()}`)
      expect([reason, status]).not.toEqual([reason, 200])
    }
  })

  test('a seat that has lapsed is free, though nobody has counted it yet', async () => {
    const floating = { licenseModel: 'Floating', leaseTime: 'PT10M', maxDeviceActivations: 1 }
    const { code } = await sell({ licensePolicy: floating }, {}, sandbox)
    const own = await sell(
      { licensePolicy: { ...floating, maxDeviceActivations: 9 } },
      { maxDeviceActivations: 1 },
      sandbox,
    )
    const [shared, alone] = [code.activationCode, own.code.activationCode]
    for (const one of [shared, alone]) await sandbox.newDevice(one)
    expect([await isAdmitted(shared, sandbox), await isAdmitted(alone, sandbox)]).toEqual([false, false])
    await sandbox.advance('PT11M')
    expect([await isAdmitted(shared, sandbox), await isAdmitted(alone, sandbox)]).toEqual([true, true])
    for (const one of [shared, alone]) await sandbox.newDevice(one)
    expect([await isAdmitted(shared, sandbox), await isAdmitted(alone, sandbox)]).toEqual([false, false])
  })

  test('a code and a trial admit until the instant of their end', async () => {
    const { now } = await sandbox.get('admin/test-clock')
    const end = new Date(Date.parse(now) + 86_400_000).toISOString()
    const brief = await sell({}, { expirationTimeStamp: end }, sandbox)
    const trial = await sell({ trialPolicy: { duration: 'P1D', startsOn: 'Creation' } }, {}, sandbox)
    const codes = [brief, trial].map(({ code }) => code.activationCode)
    const ask = () => Promise.all(codes.map((code) => isAdmitted(code, sandbox)))
    expect(await ask()).toEqual([true, true])
    await sandbox.advance('P2D')
    expect(await ask()).toEqual([false, false])
  })

  test('asking changes nothing', async () => {
    const { entitlement, code } = await sell({ trialPolicy: { duration: 'P1D' } })
    const before = await acme.get(`admin/entitlements/${entitlement.id}`)
    await Promise.all(Array.from({ length: 5 }, () => check(code.activationCode)))
    expect(await acme.get(`admin/entitlements/${entitlement.id}`)).toEqual(before)
    expect((await acme.get(`operational/entitlements/${entitlement.id}/activations`)).totalCount).toBe(0)
  })

  test('whoever asks says a code and nothing else, with a token or without', async () => {
    const refused = async (body: unknown) => pointersOf(await acme.at('POST', path, { token: null, body }))
    expect(await refused({})).toEqual([400, 'license.validation_error', ['/activationCode']])
    expect((await refused({ activationCode: '' }))[2]).toEqual(['/activationCode'])
    expect((await refused({ activationCode: null }))[2]).toEqual(['/activationCode'])
    expect((await refused({ activationCode: 7 }))[2]).toEqual(['/activationCode'])
    expect((await refused({ activationCode: 'x'.repeat(501) }))[2]).toEqual(['/activationCode'])
    expect((await refused({ activationCode: 'x', fingerprint: 'f' }))[2]).toEqual(['/fingerprint'])
    const token = await server.tokenWith(everyScope)
    expect((await acme.at('POST', path, { token, body: { activationCode: noSuchCode } })).body).toEqual({
      admitted: false,
    })
  })

  test('of one address 6,000 wrong codes a minute are answered, at admission and activation together', async () => {
    const admitting = (await sell({}, {}, neighbour)).code.activationCode
    const asker = { tenant: { id: server.tenantIds.neighbour }, ip: '127.0.0.1' }
    for (let asked = 0; asked < 5998; asked++) recordWrongCode(asker as RequestContext)
    expect(problemOf(await neighbour.activate(noSuchCode, 'a device'))).toEqual([404, 'license.not_found'])
    expect((await check(noSuchCode, neighbour)).status).toBe(200)
    for (const answer of [await check(noSuchCode, neighbour), await neighbour.activate(noSuchCode, 'a device')]) {
      expect(problemOf(answer)).toEqual([429, 'request.rate_limited'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    }
    // What is not answered leaves its key free for when the code is there.
    const keyed = (activationCode: string) =>
      neighbour.activate(activationCode, 'keyed', {}, { headers: { 'idempotency-key': 'one' } })
    expect(problemOf(await keyed(noSuchCode))).toEqual([429, 'request.rate_limited'])
    expect((await keyed(admitting)).status).toBe(200)
    expect(await isAdmitted(admitting, neighbour)).toBe(true)
    expect((await neighbour.activate(admitting, 'a device')).status).toBe(200)
    const user = await neighbour.post('admin/users', { email: 'nothing@x.example' })
    const token = (await neighbour.post(`operational/users/${user.id}/tokens`)).access_token
    const body = { useInteractiveUser: true, fingerprint: 'a device' }
    const withoutCode = await neighbour.at('POST', 'activations/license', { token, body })
    expect(problemOf(withoutCode)).toEqual([404, 'license.not_found'])
    expect((await check(noSuchCode)).status).toBe(200)
  })
})
