import { describe, expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'
import { adminOf } from '../catalog/things-to-sell.ts'
import { devicesOf } from './devices.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const devices = devicesOf(server)

  const sold = async (body: object = {}, code: object = {}) => {
    const { id } = await devices.newEntitlement(body)
    return { id: id as string, code: await devices.newCode(id, code) }
  }
  /** How an activation ends: the status, or the refusal's name. */
  const outcome = async (activationCode: string | null, more: object = {}, call: object = {}) => {
    const { status, body } = await devices.activate(activationCode as string, 'the device', more, call)
    return status === 200 ? 200 : (body.codeName as string)
  }
  const newUser = (level?: string): Promise<Json> => userOf(devices, level)

  test('a code is found however it is typed, and no other is', async () => {
    const { code } = await sold()
    const text = code.activationCode as string
    for (const typed of [
      text,
      text.toLowerCase(),
      ` ${text} `,
      text.replaceAll('-', ''),
      text.replaceAll('0', 'o').replaceAll('1', 'l'),
    ])
      expect([typed, await outcome(typed)]).toEqual([typed, 200])
    const other = text.startsWith('A') ? `B${text.slice(1)}` : `A${text.slice(1)}`
    for (const wrong of [other, `${text}X`, text.slice(1), text.replace('-', 'é'), 'Ａ'.repeat(20)])
      expect([wrong, await outcome(wrong)]).toEqual([wrong, 'license.not_found'])
  })

  test('a code that was deleted or revoked activates nothing more; who has activated by it goes on', async () => {
    const { id, code } = await sold()
    const licensed = await devices.newDevice(code.activationCode)
    await devices.post(`admin/entitlements/${id}/activation-codes/${code.id}/revoke`)
    expect(await outcome(code.activationCode)).toBe('license.not_found')
    const second = await devices.newCode(id)
    await must(devices.at('DELETE', `admin/entitlements/${id}/activation-codes/${second.id}`))
    expect(await outcome(second.activationCode)).toBe('license.not_found')
    const renewed = await must(devices.say('renew', licensed))
    expect(renewed.session.activationCode).toBe(code.activationCode)
  })

  describe('a request that cannot be right is refused before anything is looked up', () => {
    test.each([
      ['no code and no user', { activationCode: null, fingerprint: 'x' }, '/activationCode'],
      ['a blank code', { activationCode: '  ', fingerprint: 'x' }, '/activationCode'],
      ['a code of 10 kB', { activationCode: 'X'.repeat(10_000), fingerprint: 'x' }, '/activationCode'],
      ['no fingerprint', { activationCode: 'X' }, '/fingerprint'],
      ['an empty fingerprint', { activationCode: 'X', fingerprint: '' }, '/fingerprint'],
      ['a very long fingerprint', { activationCode: 'X', fingerprint: 'x'.repeat(501) }, '/fingerprint'],
      ['a number for a fingerprint', { activationCode: 'X', fingerprint: 7 }, '/fingerprint'],
      ['a field nobody knows', { activationCode: 'X', fingerprint: 'x', fingerPrint: 'x' }, '/fingerPrint'],
      [
        'a component that is no text',
        { activationCode: 'X', fingerprint: 'x', components: { MacAddress: 1 } },
        '/components/MacAddress',
      ],
      ['a component without a name', { activationCode: 'X', fingerprint: 'x', components: { '': 'a' } }, '/components'],
      [
        'a strange application',
        { activationCode: 'X', fingerprint: 'x', applicationInfo: { name: 'x' } },
        '/applicationInfo/name',
      ],
      ['an address that is none', { activationCode: 'X', fingerprint: 'x', email: 'ada' }, '/email'],
      ['an empty address', { activationCode: 'X', fingerprint: 'x', email: '' }, '/email'],
      ['an address with a name', { activationCode: 'X', fingerprint: 'x', email: 'Ada <ada@x.example>' }, '/email'],
    ])('%s', async (_words, body, pointer) => {
      const answer = await devices.at('POST', 'activations/license', { token: null, body })
      expect([answer.status, answer.body.codeName]).toEqual([400, 'license.validation_error'])
      expect(answer.body.errors.map((error: Json) => error.pointer)).toContain(pointer)
    })

    test('but not what is only unusual', async () => {
      const { code } = await sold()
      const odd = { fingerprint: '🦊 ключ', components: {}, applicationInfo: {}, email: null, productCode: null }
      const answer = await devices.at('POST', 'activations/license', {
        token: null,
        body: { activationCode: code.activationCode, ...odd },
      })
      expect([answer.status, answer.body.session.fingerprint]).toEqual([200, '🦊 ключ'])
    })
  })

  test.each([
    ['a draft', { status: 'Draft' }, 'license.entitlement_not_active'],
    ['one not valid yet', { notValidBeforeDateTime: '2090-01-01T00:00:00Z' }, 'license.not_yet_valid'],
  ])('%s refuses', async (_words, body, codeName) => {
    const { code } = await sold(body)
    expect(await outcome(code.activationCode)).toBe(codeName)
  })

  test('suspending and cancelling take effect at the next call', async () => {
    const { id, code } = await sold()
    const licensed = await devices.newDevice(code.activationCode)
    await devices.post(`admin/entitlements/${id}/suspend`)
    for (const deed of ['renew', 'check-in'] as const)
      expect((await devices.say(deed, licensed)).body.codeName).toBe('license.entitlement_not_active')
    expect(await outcome(code.activationCode)).toBe('license.entitlement_not_active')
    await devices.post(`admin/entitlements/${id}/resume`)
    expect((await devices.say('renew', licensed)).status).toBe(200)
    await devices.post(`admin/entitlements/${id}/cancel`)
    expect((await devices.say('check-in', licensed)).body.codeName).toBe('license.entitlement_not_active')
    expect((await devices.say('release', licensed)).status).toBe(200)
  })

  test('no device is activated once it was acknowledged that the entitlement is suspended', async () => {
    const { id, code } = await sold({ licensePolicy: { maxDeviceActivations: null } })
    const activations = Array.from({ length: 100 }, (_, at) => devices.activate(code.activationCode, `device ${at}`))
    await devices.post(`admin/entitlements/${id}/suspend`)
    const sessionsOf = async () =>
      (await must(devices.at('GET', `operational/entitlements/${id}/activations?pageSize=100`))).totalCount
    const then = await sessionsOf()
    const answers = await Promise.all(activations)
    expect(await sessionsOf()).toBe(then)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(then)
  })

  describe('who has signed in', () => {
    const interactive = { useInteractiveUser: true }

    test('is asked by the policy', async () => {
      const { code } = await sold({ activationPolicy: { requiredAuthenticationLevel: 'EmailVerified' } })
      const [signedIn, verified] = [await newUser('SignedIn'), await newUser('EmailVerified')]
      expect(await outcome(code.activationCode)).toBe('license.authentication_required')
      expect(await outcome(code.activationCode, interactive)).toBe('auth.unauthenticated')
      expect(await outcome(code.activationCode, interactive, signedIn)).toBe('license.authentication_required')
      const { status, body } = await devices.activate(code.activationCode, 'x', interactive, verified)
      expect([status, body.session.userId, body.session.email]).toEqual([200, verified.id, verified.email])
    })

    test('must be verified where somebody new is, and nobody needs to sign in for that', async () => {
      const { code } = await sold({ activationPolicy: { requireNewUserVerification: true } })
      const [signedIn, verified] = [await newUser('SignedIn'), await newUser('EmailVerified')]
      expect(await outcome(code.activationCode, interactive, signedIn)).toBe('license.authentication_required')
      expect(await outcome(code.activationCode)).toBe(200)
      expect(await outcome(code.activationCode, interactive, verified)).toBe(200)
      const strict = await sold({
        activationPolicy: { requireNewUserVerification: true, requiredAuthenticationLevel: 'SignedIn' },
      })
      expect(await outcome(strict.code.activationCode)).toBe('license.authentication_required')
      expect(await outcome(strict.code.activationCode, interactive, signedIn)).toBe('license.authentication_required')
      expect(await outcome(strict.code.activationCode, interactive, verified)).toBe(200)
    })

    test('is asked by the code in place of the policy, and may have to be one user', async () => {
      const ada = await newUser()
      const eve = await newUser()
      const { code } = await sold({}, { requiredUserId: ada.id })
      expect(await outcome(code.activationCode)).toBe('license.authentication_required')
      expect(await outcome(code.activationCode, interactive, eve)).toBe('license.authentication_required')
      expect(await outcome(code.activationCode, interactive, ada)).toBe(200)
      const lax = await sold(
        { activationPolicy: { requiredAuthenticationLevel: 'MultiFactor' } },
        { requiredAuthenticationLevel: 'Default' },
      )
      expect(await outcome(lax.code.activationCode)).toBe(200)
    })

    test('may have to be a member of a group', async () => {
      const [ada, eve] = [await newUser(), await newUser()]
      const group = await devices.post('admin/organization-groups', { name: `G${nextNumber()}`, members: [ada.id] })
      const { code } = await sold({ activationPolicy: { requireOrganizationGroupMember: group.id } })
      expect(await outcome(code.activationCode)).toBe('license.authentication_required')
      expect(await outcome(code.activationCode, interactive, eve)).toBe('license.authentication_required')
      expect(await outcome(code.activationCode, interactive, ada)).toBe(200)
    })

    test('needs no code with one entitlement, and has to choose of several', async () => {
      const ada = await newUser()
      const assign = (id: string) => devices.post(`admin/entitlements/${id}/principals/${ada.id}`)
      expect(await outcome(null, interactive, ada)).toBe('license.not_found')
      const first = await devices.newEntitlement()
      await assign(first.id)
      const { status, body } = await devices.activate(null as never, 'x', interactive, ada)
      expect([status, body.session.entitlementId, body.session.activationCode]).toEqual([200, first.id, null])
      const again = await devices.activate(null as never, 'x', interactive, ada)
      expect(again.body.session.id).toBe(body.session.id)
      expect((await devices.say('renew', body)).status).toBe(200)
      const second = await sold()
      await assign(second.id)
      expect(await outcome(null, interactive, ada)).toBe('license.choice_required')
      expect(await outcome(second.code.activationCode, interactive, ada)).toBe(200)
      for (const { id } of [first, second]) await must(devices.at('DELETE', `admin/entitlements/${id}`))
      expect(await outcome(null, interactive, ada)).toBe('license.not_found')
    })

    test('needs a code where the policy asks for a workflow', async () => {
      const ada = await newUser()
      const { id, code } = await sold({ activationPolicy: { requireActivationWorkflow: true } })
      await devices.post(`admin/entitlements/${id}/principals/${ada.id}`)
      expect(await outcome(null, interactive, ada)).toBe('license.validation_error')
      expect(await outcome(code.activationCode)).toBe(200)
    })

    test('is none, without a token', async () => {
      const answer = await devices.activate('X', 'x', interactive)
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
      const wrong = await devices.activate('X', 'x', interactive, { token: 'wrong' })
      expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"'])
    })

    test('is asked for by a challenge where a code needs one, on a replay too', async () => {
      const { code } = await sold({}, { requiredAuthenticationLevel: 'SignedIn' })
      const call = { headers: { 'idempotency-key': `key ${nextNumber()}` } }
      for (let at = 0; at < 2; at++) {
        const answer = await devices.activate(code.activationCode, 'x', {}, call)
        expect(answer.body.codeName).toBe('license.authentication_required')
        expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
      }
    })
  })

  test('the product code must be one of the entitlement', async () => {
    const product = await adminOf(server).newProduct()
    const { code } = await sold({
      products: [{ productId: product.id, features: [] }],
      activationPolicy: { requireProductCode: true },
    })
    expect(await outcome(code.activationCode)).toBe('license.product_code_required')
    expect(await outcome(code.activationCode, { productCode: 'OTHER' })).toBe('license.product_code_required')
    expect(await outcome(code.activationCode, { productCode: product.productCode })).toBe(200)
  })

  test('the application scope must be one of the entitlement', async () => {
    const { code } = await sold({ licensePolicy: { allowedApplicationScopes: ['editor', 'viewer'] } })
    const scoped = (applicationScope: string | null) => ({ applicationInfo: { applicationScope } })
    expect(await outcome(code.activationCode, scoped('admin'))).toBe('license.scope_not_allowed')
    const { body } = await devices.activate(code.activationCode, 'the device', scoped('viewer'))
    expect(body.session.applicationScope).toBe('viewer')
    const other = await devices.newDevice(code.activationCode, 'another', scoped(null))
    expect(other.session.applicationScope).toBe('editor')
  })

  test('a device that leaves the scope out has the default of now, not one that it had before', async () => {
    const { id, code } = await sold({ licensePolicy: { allowedApplicationScopes: ['editor', 'viewer'] } })
    const scoped = (applicationScope: string) => ({ applicationInfo: { applicationScope } })
    const licensed = await devices.newDevice(code.activationCode, 'the device', scoped('viewer'))
    const licensePolicy = { allowedApplicationScopes: ['editor', 'admin'] }
    await must(devices.at('PATCH', `admin/entitlements/${id}`, { body: { licensePolicy } }))
    const again = await devices.newDevice(code.activationCode, 'the device')
    expect([again.session.id, again.session.applicationScope]).toEqual([licensed.session.id, 'editor'])
  })

  test('the address is the one that connects, whatever a header says', async () => {
    const outside = await sold({ activationPolicy: { allowedIpCidr: ['203.0.113.0/24'] } })
    const spoofed = { headers: { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' } }
    expect(await outcome(outside.code.activationCode, {}, spoofed)).toBe('license.network_not_allowed')
    const inside = await sold({ activationPolicy: { allowedIpCidr: ['127.0.0.0/8', '::1/128'] } })
    expect(await outcome(inside.code.activationCode)).toBe(200)
  })

  describe('the device', () => {
    test('must be named where only named ones may', async () => {
      const policy = { activationPolicy: { requirePreConfiguredDeviceIdentification: true } }
      expect(await outcome((await sold(policy)).code.activationCode)).toBe('license.device_not_allowed')
      const named = await sold(policy, { preAuthorizedDevices: ['other', 'the device'] })
      expect(await outcome(named.code.activationCode)).toBe(200)
      const fixed = await sold({}, { fingerprint: 'other' })
      expect(await outcome(fixed.code.activationCode)).toBe('license.device_not_allowed')
    })

    test('must say enough of itself', async () => {
      const { code } = await sold({ activationPolicy: { requiredDeviceIdentificationSignatureLength: 11 } })
      expect(await outcome(code.activationCode)).toBe('license.device_not_allowed')
      expect((await devices.activate(code.activationCode, 'the device!')).status).toBe(200)
    })

    test('is still the same with enough of its components', async () => {
      const { code } = await sold({ licensePolicy: { maxDeviceActivations: 1, componentMatchingStrategy: 'Two' } })
      const components = { MachineName: 'a', MacAddress: 'b', OsVersion: 'c' }
      const first = await devices.newDevice(code.activationCode, 'before', { components })
      const other = await devices.activate(code.activationCode, 'after', {
        components: { ...components, MachineName: 'x', OsVersion: 'y' },
      })
      expect(other.body.codeName).toBe('license.seats_exhausted')
      const same = await devices.newDevice(code.activationCode, 'after', {
        components: { ...components, OsVersion: 'd' },
      })
      expect([same.session.id, same.session.fingerprint]).toEqual([first.session.id, 'after'])
      expect((await devices.newDevice(code.activationCode, 'after')).session.id).toBe(first.session.id)
      expect((await devices.newDevice(code.activationCode, 'before')).session.id).toBe(first.session.id)
    })

    test('has no component that it sends as null', async () => {
      const { code } = await sold({ licensePolicy: { maxDeviceActivations: 1, componentMatchingStrategy: 'Most' } })
      const components = { MachineName: 'a', MacAddress: 'b', OsVersion: null, UserName: null }
      const first = await devices.newDevice(code.activationCode, 'before', { components })
      const again = await devices.newDevice(code.activationCode, 'after', { components })
      expect(again.session.id).toBe(first.session.id)
      // Nothing but nulls says nothing: what was said before stays.
      const none = { MachineName: null, MacAddress: null, OsVersion: null, UserName: null }
      await devices.newDevice(code.activationCode, 'after', { components: none })
      const changed = await devices.newDevice(code.activationCode, 'changed', { components })
      expect(changed.session.id).toBe(first.session.id)
      const stranger = { ...components, MachineName: 'x' }
      const refused = await devices.activate(code.activationCode, 'stranger', { components: stranger })
      expect(refused.body.codeName).toBe('license.seats_exhausted')
    })

    test('is the known one with the most of its components', async () => {
      const { code } = await sold({ licensePolicy: { componentMatchingStrategy: 'MatchAny' } })
      const device = (fingerprint: string, MachineName: string) =>
        devices.newDevice(code.activationCode, fingerprint, { components: { MachineName, OsVersion: 'shared' } })
      await device('first', 'other')
      // A first word that leaves the system out, or it would be taken for the other machine.
      const second = await devices.newDevice(code.activationCode, 'second', { components: { MachineName: 'mine' } })
      expect((await device('second', 'mine')).session.id).toBe(second.session.id)
      expect((await device('changed', 'mine')).session.id).toBe(second.session.id)
    })

    test('has a seat for each instance where instances count', async () => {
      const policy = { licenseModel: 'Floating', maxDeviceActivations: 2 }
      const { code } = await sold({ licensePolicy: { ...policy, concurrentInstances: true } })
      const instance = (applicationInstanceId: string) =>
        devices.activate(code.activationCode, 'the device', { applicationInstanceId })
      const [one, two, three, again] = [
        await instance('1'),
        await instance('2'),
        await instance('3'),
        await instance('1'),
      ]
      expect(one.body.session.id).not.toBe(two.body.session.id)
      expect([three.body.codeName, again.body.session.id]).toEqual(['license.seats_exhausted', one.body.session.id])
      const shared = await sold({ licensePolicy: policy })
      const sessions = await Promise.all(
        ['1', '2', '3'].map((applicationInstanceId) =>
          devices.newDevice(shared.code.activationCode, 'the device', { applicationInstanceId }),
        ),
      )
      expect(new Set(sessions.map(({ session }) => session.id)).size).toBe(1)
    })

    test('is told from another when it calls with its fingerprint', async () => {
      const { code } = await sold()
      const { token, session } = await devices.newDevice(code.activationCode, 'the device')
      for (const deed of ['renew', 'check-in', 'release']) {
        const say = (fingerprint: string) =>
          devices.at('POST', `activations/${session.id}/${deed}`, { token, body: { fingerprint } })
        expect((await say('another')).body.codeName).toBe('license.device_not_allowed')
        expect((await say('the device')).status).toBe(200)
      }
    })
  })

  test('a seat that may not be given back is kept', async () => {
    const { code } = await sold({ licensePolicy: { allowRelease: false } })
    const licensed = await devices.newDevice(code.activationCode)
    const refused = await devices.say('release', licensed)
    expect([refused.status, refused.body.codeName]).toEqual([403, 'license.release_not_allowed'])
    expect((await devices.say('check-in', licensed)).status).toBe(200)
  })
})

/** A user of the tenant with a token, as options of a call. */
async function userOf(devices: ReturnType<typeof devicesOf>, level?: string) {
  const { id, email } = await devices.post('admin/users', {
    email: `user${nextNumber()}@example.com`,
    emailVerified: true,
  })
  const { access_token } = await devices.post(`operational/users/${id}/tokens`, level ? { level } : {})
  return { id, email, token: access_token as string }
}
