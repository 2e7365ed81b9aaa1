import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../server/database/database.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { buryDeliveries, listSubscriptionsAhead } from '../../../server/webhooks/deliveries/store.ts'
import { isAnythingDueOf, listDueSubscriptions } from '../../../server/webhooks/dispatch/store.ts'
import { explaining } from '../../support/plans.ts'
import { furnishedDatabase } from '../../support/server.ts'
import { forEachStore } from '../../support/stores.ts'

const requeued = 20_000

forEachStore((store) => {
  let database: Database
  let tenantId: string

  /** Runs a statement of as many rows as `n` counts to. */
  const each = (count: number, statement: string) =>
    database.transact((tx) =>
      sql
        .raw(
          `${statement} from (with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${count})
select n from counted) as counted`,
        )
        .execute(tx),
    )

  /** As many deliveries to the first subscription, due or over. */
  const deliver = (from: number, count: number, status: 'Pending' | 'Delivered') =>
    each(
      count,
      `insert into webhook_deliveries (id, tenant_id, subscription_id, event_id, event_type, status, created_at, ${status === 'Pending' ? 'next_attempt_at' : 'ended_at'})
select 'd' || (n + ${from}), '${tenantId}', 's1', 'e' || n, 'User.Erased', '${status}', 1, 1`,
    )

  /** What waits is known to PostgreSQL as it was before very much was queued anew for one of 500 subscriptions. */
  beforeAll(async () => {
    const { databaseUrl, tenantIds } = await furnishedDatabase(store)
    tenantId = tenantIds.acme
    database = openDatabase(databaseUrl)
    const tidy = (statement: string) =>
      store.kind === 'postgres' ? sql.raw(statement).execute(database.schema) : undefined
    await tidy('alter table webhook_deliveries set (autovacuum_enabled = off)')
    await each(
      500,
      `insert into webhook_subscriptions (id, tenant_id, created_at, updated_at, updated_by, name, url, event_types, filter,
callback_scopes, signature_profile, origin, status, sealed_secrets)
select 's' || n, '${tenantId}', 1, 1, 'test', 'One', 'https://receiver.example', '[]', '{}', '[]', 'Standard', 'Admin', 'Active', ''`,
    )
    await deliver(0, 5000, 'Delivered')
    await tidy('analyze')
    await deliver(5000, requeued, 'Pending')
  })
  afterAll(() => database.close())

  test('what is due of each subscription is looked up by the index of what waits for it, whatever the statistics say', async () => {
    expect(await listDueSubscriptions(database.read, 'one', Date.now())).toHaveLength(1)
    expect(await isAnythingDueOf(database.read, tenantId, Date.now())).toBe(true)
    const { read, plans } = explaining(database)
    await listDueSubscriptions(read, 'one', Date.now())
    await isAnythingDueOf(read, tenantId, Date.now())
    await listSubscriptionsAhead(read, Date.now(), 0)
    expect(plans).toHaveLength(3)
    const lookup =
      store.kind === 'postgres'
        ? / using webhook_deliveries_waiting on webhook_deliveries d .*\n +Index Cond: \(\(subscription_id = s\.id\)/
        : / d .*INDEX webhook_deliveries_waiting \(subscription_id=\?/
    for (const plan of plans) expect(plan).toMatch(lookup)
  })

  test.runIf(store.kind === 'postgres')(
    'all that waits is gone through once to give it up, not once for each slice',
    async () => {
      const read = await database.transact(async (tx) => {
        await buryDeliveries(tx, 's1', Date.now())
        const { rows } = await sql<{ read: number }>`select seq_tup_read + idx_tup_fetch as read
from pg_stat_xact_user_tables where relname = 'webhook_deliveries'`.execute(tx)
        return Number(rows[0]!.read)
      })
      expect(read).toBeGreaterThanOrEqual(requeued)
      expect(read).toBeLessThan(3 * requeued)
      expect(await isAnythingDueOf(database.read, tenantId, Date.now())).toBe(false)
    },
  )
})
