import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer } from '../../../server/app.ts'
import type { Database, Tx } from '../../../server/database/database.ts'
import { migrate } from '../../../server/database/migrate.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { blankEntitlement } from '../../../server/entitlements/entitlements/blank.ts'
import type { EntitlementRow } from '../../../server/entitlements/entitlements/loading.ts'
import { entitlementsDue } from '../../../server/entitlements/life/due.ts'
import { settle } from '../../../server/entitlements/life/settling.ts'
import { runDueNow, runDueUntil } from '../../../server/kit/due-work.ts'
import { newId } from '../../../server/kit/ids.ts'
import type { Cause } from '../../../server/kit/outbox.ts'
import { writeRecords } from '../../../server/kit/records/store.ts'
import { forEachStore } from '../../support/stores.ts'

const hour = 3_600_000
const start = Date.parse('2026-01-01T00:00:00Z')

forEachStore((store) => {
  let database: Database
  /** Another server process on the database, as far as it is one; SQLite's wait for one another, which one thread cannot. */
  let other: Database
  let databaseUrl: string
  beforeAll(async () => {
    databaseUrl = await store.createDatabase()
    database = openDatabase(databaseUrl)
    other = store.kind === 'postgres' ? openDatabase(databaseUrl) : database
    await migrate(database)
  })
  afterAll(async () => {
    await database.close()
    if (other !== database) await other.close()
  })

  async function newTenant(): Promise<string> {
    const id = newId()
    const tenant = { id, slug: `t${id}`, name: 'T', kind: 'Live' as const, clock_offset: 0, created_at: 0 }
    await database.transact((tx) =>
      tx
        .insertInto('tenants')
        .values(tenant)
        .execute()
        .then(() => undefined),
    )
    return id
  }
  const causeIn = (tx: Tx, tenantId: string, now: number): Cause => ({
    ...{ tx, tenantId, now, actor: 'test', correlationId: 'test' },
  })

  /** Active entitlements of a tenant that renew themselves every hour, all at the same instants. */
  const newEntitlements = (tenantId: string, count: number, fields: Partial<EntitlementRow> = {}) =>
    database.transact(async (tx) => {
      const rows = Array.from({ length: count }, () => ({
        ...blankEntitlement(causeIn(tx, tenantId, start)),
        ...{ status: 'Active', renewal_policy: '{"period":"Hourly","autoRenew":true}' },
        ...{ expiration_date_time: start + hour, ...fields },
      }))
      await writeRecords(
        tx,
        'entitlements',
        rows.map((row) => settle(row, start).row),
      )
      return rows.map(({ id }) => id)
    })

  /** How often each entitlement was renewed, by the starts of the periods. */
  async function renewalsOf(tenantId: string): Promise<Record<string, string[]>> {
    const query = database.read.selectFrom('events').select(['entity_id', 'data']).where('tenant_id', '=', tenantId)
    const events = await query.orderBy('id').execute()
    const grouped = Map.groupBy(events, ({ entity_id }) => entity_id)
    return Object.fromEntries(
      [...grouped].map(([id, ofOne]) => [id, ofOne.map(({ data }) => JSON.parse(data).periodStart)]),
    )
  }
  const periodStarts = (count: number) =>
    Array.from({ length: count }, (_, index) => new Date(start + (index + 1) * hour).toISOString())

  test('a hundred that are due at one instant are dealt with in few statements', async () => {
    const tenantId = await newTenant()
    await newEntitlements(tenantId, 100)
    let statements = 0
    await database.transact(async (tx) => {
      const counted = tx.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          statements++
          return result
        },
      })
      await entitlementsDue.run(causeIn(counted as Tx, tenantId, start + hour))
    })
    // They are read and written, and their events, which wait to be handed out.
    expect(statements).toBeLessThanOrEqual(4)
    expect(Object.keys(await renewalsOf(tenantId))).toHaveLength(100)
    expect(await entitlementsDue.findNext(database.read, tenantId)).toBe(start + 2 * hour)
  })

  test('whatever number of processes does what is due, each event is recorded once, at its own time', async () => {
    const tenantId = await newTenant()
    const ids = await newEntitlements(tenantId, 40)
    const now = async () => start + 6 * hour
    await Promise.all([database, other, database].map((one) => runDueNow(one, [entitlementsDue], now)))
    const expected = Object.fromEntries(ids.map((id) => [id, periodStarts(6)]))
    expect(await renewalsOf(tenantId)).toEqual(expected)
    const times = await database.read.selectFrom('events').selectAll().where('tenant_id', '=', tenantId).execute()
    for (const { occurred_at, data } of times) expect(occurred_at).toBe(Date.parse(JSON.parse(data).periodStart))
  })

  test('what a process that fails had done is done again, once', async () => {
    const tenantId = await newTenant()
    const [id] = await newEntitlements(tenantId, 1)
    const failing = database.transact(async (tx) => {
      await entitlementsDue.run(causeIn(tx, tenantId, start + hour))
      throw new Error('the power is gone')
    })
    await expect(failing).rejects.toThrow('the power is gone')
    expect(await renewalsOf(tenantId)).toEqual({})
    await runDueNow(database, [entitlementsDue], async () => start + hour)
    await runDueNow(database, [entitlementsDue], async () => start + hour)
    expect(await renewalsOf(tenantId)).toEqual({ [id!]: periodStarts(1) })
  })

  test('rows that another process has in hand are left to it', async () => {
    if (store.kind === 'sqlite') return
    const tenantId = await newTenant()
    const ids = await newEntitlements(tenantId, 2)
    await other.transact(async (tx) => {
      await tx.selectFrom('entitlements').select('id').where('id', '=', ids[0]!).forUpdate().execute()
      await database.transact((mine) => entitlementsDue.run(causeIn(mine, tenantId, start + hour)))
      expect(Object.keys(await renewalsOf(tenantId))).toEqual([ids[1]])
    })
    await runDueNow(database, [entitlementsDue], async () => start + hour)
    expect(Object.keys(await renewalsOf(tenantId)).sort()).toEqual([...ids].sort())
  })

  test('a tenant is found when something is due on its own clock', async () => {
    const [here, ahead] = [await newTenant(), await newTenant()]
    for (const tenantId of [here, ahead]) await newEntitlements(tenantId, 1)
    const offset = { clock_offset: hour / 2 }
    await database.transact((tx) => tx.updateTable('tenants').set(offset).where('id', '=', ahead).execute())
    const found = async (now: number) => {
      const all = await entitlementsDue.findTenants(database.read, now)
      return [all.includes(here), all.includes(ahead)]
    }
    expect(await found(start + hour / 2 - 1)).toEqual([false, false])
    expect(await found(start + hour / 2)).toEqual([false, true])
    expect(await found(start + hour)).toEqual([true, true])
  })

  test('a year that is run at once is the year run in small steps', async () => {
    const year = 366 * 24 * hour
    const notice = { renewal_policy: '{"period":"Monthly","expiringNotice":"P10D"}' }
    const monthly = { renewal_policy: '{"period":"Monthly","autoRenew":true}' }
    const trial = { is_entitlement_trial: 1, trial_policy: '{"enabled":true,"startsOn":"Creation"}' }
    const run = async (instants: number[]) => {
      const tenantId = await newTenant()
      const ids: string[] = []
      for (const fields of [notice, monthly, { ...monthly, status: 'Suspended' }, trial])
        ids.push(...(await newEntitlements(tenantId, 1, { expiration_date_time: start + 100 * 24 * hour, ...fields })))
      for (const until of instants)
        await database.transact((tx) => runDueUntil(tx, [entitlementsDue], tenantId, until, 'test'))
      const events = await database.read.selectFrom('events').selectAll().where('tenant_id', '=', tenantId).execute()
      return ids.map((id) =>
        events
          .filter(({ entity_id }) => entity_id === id)
          .map(({ type, occurred_at, data }) => `${type} ${occurred_at} ${data.replaceAll(id, 'ID')}`)
          .sort(),
      )
    }
    const steps = Array.from({ length: 40 }, (_, index) => start + Math.round((year / 40) * (index + 1)))
    const atOnce = await run([start + year])
    expect(atOnce.map((events) => events.length)).toEqual([1, 9, 9, 1])
    expect(await run(steps)).toEqual(atOnce)
  })

  test('nothing befalls an entitlement that was deleted: it is forgotten', async () => {
    const tenantId = await newTenant()
    const [id] = await newEntitlements(tenantId, 1)
    await database.transact((tx) =>
      tx.updateTable('entitlements').set({ is_deleted: 1 }).where('id', '=', id!).execute(),
    )
    const before = await database.read.selectFrom('entitlements').selectAll().where('id', '=', id!).executeTakeFirst()
    await runDueNow(database, [entitlementsDue], async () => start + hour)
    const after = await database.read.selectFrom('entitlements').selectAll().where('id', '=', id!).executeTakeFirst()
    expect(after).toEqual({ ...before, next_due_at: null })
    expect(await renewalsOf(tenantId)).toEqual({})
  })
  test('a server that is told to end leaves what was due while it was away to the next', async () => {
    const tenantId = await newTenant()
    const ids = await newEntitlements(tenantId, 20)
    const server = await startServer({ databaseUrl, host: '127.0.0.1', port: 0, logLevel: 'silent' })
    await expect.poll(() => renewalsOf(tenantId), { timeout: 20_000 }).toMatchObject({ [ids[0]!]: expect.any(Array) })
    await server.close()
    expect(await entitlementsDue.findNext(database.read, tenantId)).toBeLessThan(Date.now())
    const [renewals] = Object.values(await renewalsOf(tenantId))
    await runDueNow(database, [entitlementsDue], async () => start + (renewals!.length + 3) * hour)
    expect(await renewalsOf(tenantId)).toEqual(
      Object.fromEntries(ids.map((id) => [id, periodStarts(renewals!.length + 3)])),
    )
  })
})
