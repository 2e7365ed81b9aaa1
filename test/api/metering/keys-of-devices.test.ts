import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../server/database/database.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { deleteDecisions } from '../../../server/metering/consumption/store.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, problemOf } from '../catalog/catalog-collection.ts'
import { metersOf, tier } from './metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>

const calls = { meteredUsage: { usageTiers: [tier(0, 1000, 'None')] } }
const conflict = [409, 'request.idempotency_conflict']

forEachStore((store) => {
  const server = serveTests(store)
  const meters = metersOf(server)
  const { devices } = meters
  let database: Database
  beforeAll(() => {
    database = openDatabase(server.databaseUrl)
  })
  afterAll(() => database.close())

  const usageOf = async (license: Json) => (await meters.usage(license, 'calls')).usage
  /** An entitlement and a way to activate devices on it, again and again. */
  const newSale = async () => {
    const { id } = await meters.newEntitlement({ calls })
    const { activationCode } = await devices.newCode(id)
    return { id, activate: (fingerprint: string): Promise<Json> => devices.newDevice(activationCode, fingerprint) }
  }
  const again = async (sale: Awaited<ReturnType<typeof newSale>>, license: Json) => {
    await must(devices.say('release', license))
    return sale.activate(license.session.fingerprint)
  }
  const lookupsOf = async (id: string) =>
    (
      await database.read
        .selectFrom('usage_decisions')
        .select('lookup')
        .where('lookup', '>=', id)
        .where('lookup', '<', `${id}~`)
        .execute()
    ).length

  test('an application that was released and activated again is the same asker', async () => {
    const sale = await newSale()
    const first = await sale.activate('device one')
    const decision = await meters.consume(first, 'calls', 3, 'job-1')
    const second = await again(sale, first)
    expect(second.session.id).not.toBe(first.session.id)
    expect(await meters.consume(second, 'calls', 3, 'job-1')).toEqual({ ...decision, replayed: true })
    expect(problemOf(await meters.tryConsume(second, 'calls', 4, 'job-1'))).toEqual(conflict)
    expect(problemOf(await meters.hold(second, 'calls', { amount: 3, idempotentKey: 'job-1' }))).toEqual(conflict)
    expect(await usageOf(second)).toBe(3)
  })

  test('a key of another device is the own one beside it, whatever is asked under it', async () => {
    const sale = await newSale()
    const [one, two] = [await sale.activate('device one'), await sale.activate('device two')]
    const first = await meters.consume(one, 'calls', 1, 'job-1')
    const second = await meters.consume(two, 'calls', 5, 'job-1')
    expect(second).toMatchObject({ allowed: true, replayed: false, amount: 5, usage: 6, idempotentKey: 'job-1' })
    const later = await again(sale, two)
    expect(await meters.consume(later, 'calls', 5, 'job-1')).toEqual({ ...second, replayed: true })
    expect(await meters.consume(one, 'calls', 1, 'job-1')).toEqual({ ...first, replayed: true })
    expect(problemOf(await meters.tryConsume(later, 'calls', 1, 'job-1'))).toEqual(conflict)
    expect(problemOf(await meters.tryConsume(one, 'calls', 5, 'job-1'))).toEqual(conflict)
    expect(await usageOf(one)).toBe(6)
  })

  test('devices at once with one new key end with a decision each', async () => {
    const sale = await newSale()
    const names = Array.from({ length: 12 }, (_, index) => `device ${index}`)
    const all = await Promise.all(names.map((name) => sale.activate(name)))
    const asked = [...all, ...all, ...all].map((license) => meters.consume(license, 'calls', 2, 'job-1'))
    const decisions = await Promise.all(asked)
    expect(decisions.filter(({ replayed }) => !replayed)).toHaveLength(12)
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(36)
    expect(await usageOf(all[0])).toBe(24)
    for (const license of all)
      expect(await meters.consume(license, 'calls', 2, 'job-1')).toMatchObject({ replayed: true })
  })

  test('so with holds, which a device that was activated again settles and releases', async () => {
    const sale = await newSale()
    const [one, two] = [await sale.activate('device one'), await sale.activate('device two')]
    const hold = async (license: Json) =>
      must(meters.hold(license, 'calls', { amount: 4, idempotentKey: 'work' })) as Promise<Json>
    const [first, second] = [await hold(one), await hold(two)]
    expect(second.holdId).not.toBe(first.holdId)
    const later = await again(sale, two)
    expect(await hold(later)).toEqual({ ...second, replayed: true })
    expect(problemOf(await meters.settle(later, first.holdId, 4))).toEqual([404, 'license.record_not_found'])
    expect((await meters.settle(later, second.holdId, 3)).body).toMatchObject({ allowed: true, usage: 3 })
    const anew = await again(sale, one)
    expect((await meters.release(anew, first.holdId)).body).toMatchObject({ released: true })
    expect(await meters.usage(anew, 'calls')).toMatchObject({ usage: 3, remaining: 997 })
  })

  test('what was decided for a device stands when that of another under its key is erased', async () => {
    const sale = await newSale()
    const [one, two] = [await sale.activate('device one'), await sale.activate('device two')]
    const erase = ({ session }: Json) =>
      database.transact((tx) => deleteDecisions(tx, server.tenantIds.acme!, sale.id, [session.id]))
    await meters.consume(one, 'calls', 1, 'alone')
    await meters.consume(one, 'calls', 1, 'job 1')
    const decision = await meters.consume(two, 'calls', 5, 'job 1')
    await erase(one)
    expect(await lookupsOf(sale.id)).toBe(2)
    expect(await meters.consume(two, 'calls', 5, 'job 1')).toEqual({ ...decision, replayed: true })
    expect(await meters.consume(one, 'calls', 1, 'job 1')).toMatchObject({ replayed: false })
    await erase(two)
    expect(await lookupsOf(sale.id)).toBe(2)
    await erase(one)
    expect(await lookupsOf(sale.id)).toBe(0)
  })
})
