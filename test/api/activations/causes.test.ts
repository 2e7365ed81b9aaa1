import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { nextNumber } from '../catalog/catalog-collection.ts'
import { databaseBeside } from '../entitlements/coded-entitlements.ts'
import { metersOf } from '../metering/metered-sales.ts'

const count = 20
const day = 24 * 3_600_000
const times = <T>(make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

forEachStore((store) => {
  const server = serveTests(store)
  const beside = databaseBeside(server)
  const meters = metersOf(server)
  const { devices } = meters
  const under = (index: number) => ({ headers: { 'x-correlation-id': `request ${index}` } })

  /** Who caused the last event of a type of each of these, in which request. */
  const requestsOf = async (type: string, ids: readonly string[]) => {
    const rows = await beside.open.read
      .selectFrom('events')
      .select(['entity_id', 'actor', 'correlation_id'])
      .where('type', '=', type)
      .where('entity_id', 'in', ids)
      .orderBy('id')
      .execute()
    return ids.map((id) => rows.filter((row) => row.entity_id === id).at(-1))
  }
  const own = (actor: unknown, ids: readonly string[]) =>
    ids.map((id, index) => ({ entity_id: id, actor, correlation_id: `request ${index}` }))

  test('of activations that are decided together, each trial that begins names its own request', async () => {
    const sold = await times(async () => {
      const { id } = await devices.newEntitlement({ isEntitlementTrial: true, trialPolicy: { duration: 'P1D' } })
      return { id: id as string, activationCode: (await devices.newCode(id)).activationCode as string }
    })
    const answers = await times((index) =>
      devices.activate(sold[index]!.activationCode, `trial ${nextNumber()}`, {}, under(index)),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const ids = sold.map(({ id }) => id)
    expect(await requestsOf('Entitlement.TrialExpiring', ids)).toEqual(own('anyone', ids))
  })

  test('of consumption that is decided together, what time has changed meanwhile names a request for that entitlement', async () => {
    const tiers = [
      { startUsage: 0, endUsage: 5, quotaUsageLevel: 'Normal' },
      { startUsage: 5, endUsage: null, quotaUsageLevel: 'Warning' },
    ]
    const licenses = await times(() => meters.newLicense({ calls: { meteredUsage: { usageTiers: tiers } } }))
    await times((index) => meters.consume(licenses[index], 'calls', 7))
    const ids = licenses.map(({ entitlementId }) => entitlementId as string)
    const states = await beside.open.read
      .selectFrom('meter_states')
      .select(['entitlement_id', 'meter_id'])
      .where('entitlement_id', 'in', ids)
      .execute()
    const before = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 1)
    await beside.open.transact(async (tx) => {
      await tx
        .updateTable('meter_states')
        .set({ period_start: before, due_at: Date.now() + day })
        .where('entitlement_id', 'in', ids)
        .execute()
    })
    await times((index) => {
      const { session, token } = licenses[index]
      const call = `try-consume/${session.id}/calls?amount=1&idempotentKey=key${nextNumber()}`
      return meters.runtime('POST', call, token, under(index))
    })
    const meterIds = ids.map((id) => states.find((state) => state.entitlement_id === id)!.meter_id)
    expect(await requestsOf('MeteredUsage.OverageStatusChanged', meterIds)).toEqual(own('clock', meterIds))
  })
})
