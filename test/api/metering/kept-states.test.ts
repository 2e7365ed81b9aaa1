import { expect, onTestFinished, test } from 'vitest'
import type { Tx } from '../../../server/database/database.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { closeStates, redefineStates } from '../../../server/metering/consumption/keeping-states.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { metersOf } from './metered-sales.ts'

forEachStore((store) => {
  const server = serveTests(store)
  const meters = metersOf(server)

  test('meters are defined anew, or closed, in one statement however many they are, and the others stay as they are', async () => {
    const database = openDatabase(server.databaseUrl)
    onTestFinished(() => database.close())
    const { id } = await meters.newEntitlement({ calls: { meteredUsage: {} }, jobs: { meteredUsage: {} } })
    const other = await meters.newEntitlement({ calls: { meteredUsage: {} } })
    const tenantId = server.tenantIds.acme
    const statesOf = (entitlementId: string) =>
      database.read
        .selectFrom('meter_states')
        .select(['meter_id', 'definition_revision', 'suspended_until', 'is_closed', 'due_at'])
        .where('entitlement_id', '=', entitlementId)
        .orderBy('meter_id')
        .execute()
    const ids = (await statesOf(id)).map(({ meter_id }) => meter_id)
    expect(ids).toHaveLength(2)
    await database.transact(async (tx) => {
      await tx
        .updateTable('meter_states')
        .set({ suspended_until: 1, due_at: 1 })
        .where('tenant_id', '=', tenantId)
        .execute()
      for (const [place, meterId] of ids.entries())
        await tx
          .updateTable('meters')
          .set({ revision_number: 7 + place })
          .where('id', '=', meterId)
          .execute()
    })
    const before = await statesOf(other.id)
    let statements = 0
    const counting = (tx: Tx) =>
      tx.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          statements++
          return result
        },
      }) as Tx

    await database.transact((tx) => redefineStates(counting(tx), tenantId, ids))
    const redefined = ids.map((meter_id, place) => ({
      meter_id,
      definition_revision: 7 + place,
      suspended_until: null,
    }))
    expect(await statesOf(id)).toMatchObject(redefined)
    await database.transact((tx) => closeStates(counting(tx), tenantId, ids))

    expect(await statesOf(id)).toEqual(redefined.map((one) => ({ ...one, is_closed: 1, due_at: null })))
    expect(await statesOf(other.id)).toEqual(before)
    expect(statements).toBe(2)
    await database.transact(async (tx) => {
      await redefineStates(counting(tx), tenantId, [])
      await closeStates(
        counting(tx),
        server.tenantIds.neighbour,
        (await statesOf(other.id)).map(({ meter_id }) => meter_id),
      )
    })
    expect(await statesOf(other.id)).toEqual(before)
  })
})
