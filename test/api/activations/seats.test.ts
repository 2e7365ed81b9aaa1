import { expect, test } from 'vitest'
import { originOf, serverProcesses } from '../../support/server-processes.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { databaseBeside } from '../entitlements/coded-entitlements.ts'
import { devicesOf } from './devices.ts'

type Json = ReturnType<typeof JSON.parse>

/** How often each answer occurs. */
const countedAnswers = (answers: readonly { status: number; body: Json }[]) => {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const said = `${status} ${body.codeName ?? 'activated'}`
    counts[said] = (counts[said] ?? 0) + 1
  }
  return counts
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

forEachStore((store) => {
  const server = serveTests(store)
  const beside = databaseBeside(server)
  const devices = devicesOf(server)
  const start = serverProcesses()

  const withSeats = async (maxDeviceActivations: number | null, license: object = {}, code: object = {}) => {
    const entitlement = await devices.newEntitlement({ licensePolicy: { maxDeviceActivations, ...license } })
    const { id, activationCode } = await devices.newCode(entitlement.id, code)
    return { entitlementId: entitlement.id as string, codeId: id as string, activationCode: activationCode as string }
  }

  /** What the database says of the seats of an entitlement: counted, counted by its codes, and held by sessions. */
  const seatsOf = async (entitlementId: string) => {
    const { read } = beside.open
    const { taken } = await read
      .selectFrom('seat_counts')
      .select('taken')
      .where('entitlement_id', '=', entitlementId)
      .executeTakeFirstOrThrow()
    const codes = await read
      .selectFrom('activation_codes')
      .select('used_activations')
      .where('entitlement_id', '=', entitlementId)
      .execute()
    const sessions = await read
      .selectFrom('license_sessions')
      .select('id')
      .where('entitlement_id', '=', entitlementId)
      .where('is_seated', '=', 1)
      .execute()
    return [taken, codes.reduce((sum, code) => sum + code.used_activations, 0), sessions.length]
  }

  test('of 200 devices at once, 10 get the 10 seats', async () => {
    const { entitlementId, activationCode } = await withSeats(10)
    const answers = await Promise.all(times(200, (at) => devices.activate(activationCode, `device ${at}`)))
    expect(countedAnswers(answers)).toEqual({ '200 activated': 10, '409 license.seats_exhausted': 190 })
    expect(await seatsOf(entitlementId)).toEqual([10, 10, 10])
  })

  test('the seats of several codes are the seats of one entitlement', async () => {
    const { entitlementId, activationCode } = await withSeats(7)
    const others = await Promise.all(times(3, () => devices.newCode(entitlementId)))
    const codes = [activationCode, ...others.map((code) => code.activationCode)]
    const answers = await Promise.all(times(60, (at) => devices.activate(codes[at % 4]!, `device ${at}`)))
    expect(countedAnswers(answers)).toEqual({ '200 activated': 7, '409 license.seats_exhausted': 53 })
    expect(await seatsOf(entitlementId)).toEqual([7, 7, 7])
  })

  test("a code's own limit holds within the entitlement's", async () => {
    const { entitlementId, activationCode } = await withSeats(5, {}, { maxDeviceActivations: 2 })
    const answers = await Promise.all(times(20, (at) => devices.activate(activationCode, `device ${at}`)))
    expect(countedAnswers(answers)).toEqual({ '200 activated': 2, '409 license.code_used_up': 18 })
    expect(await seatsOf(entitlementId)).toEqual([2, 2, 2])
  })

  test("a code that uses the entitlement's limit has none of its own", async () => {
    const { activationCode } = await withSeats(3, {}, { maxDeviceActivations: 1, useEntitlementMaxActivations: true })
    const answers = await Promise.all(times(6, (at) => devices.activate(activationCode, `device ${at}`)))
    expect(countedAnswers(answers)).toEqual({ '200 activated': 3, '409 license.seats_exhausted': 3 })
  })

  test('no seats are none, and no limit is any number', async () => {
    const none = await withSeats(0)
    const { body } = await devices.activate(none.activationCode, 'device')
    expect(body.codeName).toBe('license.seats_exhausted')
    expect(body.detail).toMatch(/a device must be released, or the entitlement given more seats/)
    const any = await withSeats(null)
    const answers = await Promise.all(times(50, (at) => devices.activate(any.activationCode, `device ${at}`)))
    expect(countedAnswers(answers)).toEqual({ '200 activated': 50 })
  })

  test('one device that activates a hundred times at once has one session and one seat', async () => {
    const { entitlementId, activationCode } = await withSeats(1)
    const answers = await Promise.all(times(100, () => devices.activate(activationCode, 'the device')))
    expect(countedAnswers(answers)).toEqual({ '200 activated': 100 })
    expect(new Set(answers.map(({ body }) => body.session.id)).size).toBe(1)
    expect(await seatsOf(entitlementId)).toEqual([1, 1, 1])
  })

  test('one free seat goes to one of fifty', async () => {
    const { entitlementId, activationCode } = await withSeats(3)
    const [first] = await Promise.all(times(3, (at) => devices.newDevice(activationCode, `device ${at}`)))
    const released = await Promise.all(times(5, () => devices.say('release', first)))
    expect(new Set(released.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await seatsOf(entitlementId)).toEqual([2, 2, 2])
    const answers = await Promise.all(times(50, (at) => devices.activate(activationCode, `other ${at}`)))
    expect(countedAnswers(answers)).toEqual({ '200 activated': 1, '409 license.seats_exhausted': 49 })
    expect(await seatsOf(entitlementId)).toEqual([3, 3, 3])
  })

  test('a session that is revoked while it is renewed is renewed before that or not at all', async () => {
    const { entitlementId, activationCode } = await withSeats(20)
    const all = await Promise.all(times(20, (at) => devices.newDevice(activationCode, `device ${at}`)))
    const renewed = all.flatMap((one) => times(3, (at) => devices.say(at === 1 ? 'check-in' : 'renew', one)))
    const revoked = all.map((one) =>
      devices.at('POST', `admin/sessions/${one.session.id}/revoke`, { body: { reason: 'lost' } }),
    )
    for (const { status } of await Promise.all(revoked)) expect(status).toBe(200)
    const answers = (await Promise.all(renewed)).map(({ status, body }) => body.codeName ?? status)
    expect(answers.filter((answer) => answer !== 200 && answer !== 'license.session_not_valid')).toEqual([])
    const after = await Promise.all(all.map((one) => devices.say('renew', one)))
    expect(countedAnswers(after)).toEqual({ '403 license.session_not_valid': 20 })
    expect(await seatsOf(entitlementId)).toEqual([0, 0, 0])
  })

  test.runIf(store.kind === 'postgres')('two server processes share the seats', { timeout: 60_000 }, async () => {
    const origins = await Promise.all([1, 2].map(() => originOf(start(server.databaseUrl))))
    const { entitlementId, activationCode } = await withSeats(10)
    const activateAt = async (at: number, fingerprint: string) => {
      const answer = await fetch(`${origins[at % 2]}/t/acme/api/v1/provision/activations/license`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ activationCode, fingerprint }),
      })
      return { status: answer.status, body: (await answer.json()) as Json }
    }
    const answers = await Promise.all(times(200, (at) => activateAt(at, `device ${at}`)))
    expect(countedAnswers(answers)).toEqual({ '200 activated': 10, '409 license.seats_exhausted': 190 })
    expect(await seatsOf(entitlementId)).toEqual([10, 10, 10])

    const other = await withSeats(1)
    const body = JSON.stringify({ activationCode: other.activationCode, fingerprint: 'the device' })
    const ids = await Promise.all(
      times(100, async (at) => {
        const answer = await fetch(`${origins[at % 2]}/t/acme/api/v1/provision/activations/license`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
        return ((await answer.json()) as Json).session?.id
      }),
    )
    expect(new Set(ids).size).toBe(1)
    expect(await seatsOf(other.entitlementId)).toEqual([1, 1, 1])
  })
})
