import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nowOfTenant } from '../../../server/access/tenants/tenant-clock.ts'
import type { Database } from '../../../server/database/database.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { runDueNow } from '../../../server/kit/due-work.ts'
import { loadCourses } from '../../../server/metering/consumption/store.ts'
import { metersDue } from '../../../server/metering/due.ts'
import { everyScope } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, problemOf } from '../catalog/catalog-collection.ts'
import { metersOf, tier } from './metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>

/** Midnight of the first of each month. */
const monthly = { autoBalanceCronSchedule: '0 0 1 * *', autoBalanceCreditAmount: 100, initialCreditAmount: 30 }

forEachStore((store) => {
  const server = serveTests(store)
  const meters = metersOf(server, 'sandbox')
  const { devices } = meters
  const databases: Database[] = []
  beforeAll(() => {
    databases.push(openDatabase(server.databaseUrl), openDatabase(server.databaseUrl))
  })
  afterAll(() => Promise.all(databases.map((database) => database.close())))

  const newBalance = async (balanceUsage: object): Promise<string> =>
    (await meters.newEntitlement({ credits: { balanceUsage: { ...monthly, ...balanceUsage } } })).id
  const creditsOf = async (id: string): Promise<Json> =>
    (await devices.get(`operational/entitlements/${id}/usage`)).meters[0].consumption
  const ledgerOf = async (id: string): Promise<Json[]> =>
    (await devices.get(`operational/entitlements/${id}/balances/credits/ledger?sortOrder=id&pageSize=100`)).items
  const movesOf = async (id: string) =>
    (await ledgerOf(id)).map(({ kind, amount, balanceAfter }) => [kind, amount, balanceAfter])
  const deduct = (id: string, amount: number) =>
    devices.post(`operational/entitlements/${id}/balances/credits/deduct`, { amount })
  const now = async () => new Date((await devices.get('admin/test-clock')).now)
  /** The first instants of the months that follow. */
  const months = async (count: number) => {
    const from = await now()
    return Array.from({ length: count }, (_, index) =>
      new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1 + index)).toISOString(),
    )
  }
  /** How many events of credits that changed their level there are of an entitlement's balance. */
  const levelsOf = async (id: string): Promise<string[]> => {
    const [asset] = (await devices.get(`admin/monitored-assets?filter=entitlementId==${id}`)).items
    const rows = await databases[0]!.read
      .selectFrom('events')
      .select('data')
      .where('type', '=', 'CreditBalance.StatusChanged')
      .where('entity_id', '=', asset.id)
      .orderBy('id')
      .execute()
    return rows.map(({ data }) => JSON.parse(data).level)
  }

  test('months of deposits come on the schedule, and what may stay of the rest stays', async () => {
    const [dropping, keeping, capped] = await Promise.all([
      newBalance({}),
      newBalance({ shouldAutoBalanceTransferCurrentCredits: true }),
      newBalance({ shouldAutoBalanceTransferCurrentCredits: true, maxAutoBalanceCreditTransferAmount: 40 }),
    ])
    const [first, second, third] = (await months(3)) as [string, string, string]
    await devices.advance({ to: first })
    for (const id of [dropping, keeping, capped]) await deduct(id, 50.5)
    await devices.advance({ to: third })
    expect(await movesOf(dropping)).toEqual([
      ...[
        ['Initial', 30, 30],
        ['Lapse', -30, 0],
        ['AutoBalance', 100, 100],
        ['Deduction', -50.5, 49.5],
      ],
      ...[
        ['Lapse', -49.5, 0],
        ['AutoBalance', 100, 100],
        ['Lapse', -100, 0],
        ['AutoBalance', 100, 100],
      ],
    ])
    expect(await movesOf(keeping)).toEqual([
      ...[
        ['Initial', 30, 30],
        ['AutoBalance', 100, 130],
        ['Deduction', -50.5, 79.5],
      ],
      ...[
        ['AutoBalance', 100, 179.5],
        ['AutoBalance', 100, 279.5],
      ],
    ])
    expect(await movesOf(capped)).toEqual([
      ...[
        ['Initial', 30, 30],
        ['AutoBalance', 100, 130],
        ['Deduction', -50.5, 79.5],
      ],
      ...[
        ['Lapse', -39.5, 40],
        ['AutoBalance', 100, 140],
        ['Lapse', -100, 40],
        ['AutoBalance', 100, 140],
      ],
    ])
    const filled = (await ledgerOf(capped)).filter(({ kind }) => kind === 'AutoBalance')
    expect(filled.map(({ occurredAt, actor }) => [occurredAt, actor])).toEqual(
      [first, second, third].map((at) => [at, 'clock']),
    )
    expect(await creditsOf(capped)).toMatchObject({ totalCredits: 140, creditsUsed: 0, lastDeposit: third })
    const [asset] = (await devices.get(`admin/monitored-assets?filter=entitlementId==${capped}`)).items
    expect(asset.balanceUsage).toMatchObject({ totalCredits: 140, lastAutoBalanceDate: third })
  })

  test('a balance that is filled tells of its level then, and so does a period that begins anew', async () => {
    const bands = [{ endUsage: 50, quotaUsageLevel: 'Warning' }]
    const id = await newBalance({ initialCreditAmount: 60, usageQuota: bands })
    const tiers = [
      tier(0, 5, 'None', { quotaUsageLevel: 'Normal' }),
      tier(5, 10, 'NotifyOnly', { quotaUsageLevel: 'Critical' }),
    ]
    const license = await meters.newLicense({
      pages: { meteredUsage: { consumptionPeriod: 'Monthly', usageTiers: tiers } },
    })
    await deduct(id, 20)
    await meters.consume(license, 'pages', 7)
    const [first] = await months(1)
    await devices.advance({ to: first! })
    expect(await levelsOf(id)).toEqual(['Warning', 'None'])
    const rows = await databases[0]!.read
      .selectFrom('events')
      .select(['occurred_at', 'actor', 'data'])
      .where('type', '=', 'MeteredUsage.OverageStatusChanged')
      .orderBy('id')
      .execute()
    const told = rows.filter(({ data }) => JSON.parse(data).entitlementId === license.entitlementId)
    expect(told.map(({ data }) => JSON.parse(data).level)).toEqual(['Critical', 'Normal'])
    expect([new Date(told[1]!.occurred_at).toISOString(), told[1]!.actor]).toEqual([first, 'clock'])
  })

  test('what is deleted is filled no more', async () => {
    const id = await newBalance({})
    const [asset] = (await devices.get(`admin/monitored-assets?filter=entitlementId==${id}`)).items
    await must(devices.at('DELETE', `admin/entitlements/${id}`))
    await devices.advance('P40D')
    const { rows } = await sql<{ kind: string }>`select kind from balance_entries where meter_id = ${asset.id}`.execute(
      databases[0]!.read,
    )
    expect(rows).toEqual([{ kind: 'Initial' }])
    expect(problemOf(await devices.at('GET', `admin/monitored-assets/${asset.id}`))).toEqual([
      ...[404, 'license.record_not_found'],
    ])
  })

  // Of an SQLite file one process is the writer at a time, and two connections of one process would wait for each other.
  test.runIf(store.kind === 'postgres')('processes that come to it at once fill a balance once', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => newBalance({})))
    const [next] = await months(1)
    const ahead = Date.parse(next!) - (await now()).getTime()
    // The server's own clockwork takes part, as soon as the clock stands past the instant.
    await databases[0]!.transact((tx) =>
      tx
        .updateTable('tenants')
        .set((eb) => ({ clock_offset: eb('clock_offset', '+', ahead + 1000) }))
        .where('id', '=', server.tenantIds.sandbox)
        .execute(),
    )
    await Promise.all(
      [...databases, ...databases].map((database) =>
        runDueNow(database, [metersDue], (tenantId) => nowOfTenant(database.read, tenantId)),
      ),
    )
    server.tokens.sandbox = await server.tokenWith(everyScope, 'sandbox')
    for (const id of ids)
      expect(await movesOf(id)).toEqual([
        ['Initial', 30, 30],
        ['Lapse', -30, 0],
        ['AutoBalance', 100, 100],
      ])
  })

  test.runIf(store.kind === 'postgres')(
    'an advance and a change of an entitlement do not wait for each other',
    async () => {
      const { id } = await meters.newEntitlement(
        { credits: { balanceUsage: monthly } },
        {
          expirationDateTime: new Date((await now()).getTime() + 60 * 24 * 3_600_000).toISOString(),
          renewalPolicy: { period: 'Monthly', autoRenew: true },
        },
      )
      let advance: Promise<unknown> | undefined
      // As a plan is applied: first the entitlement, then its meters.
      await databases[0]!.transact(async (tx) => {
        await tx.selectFrom('entitlements').select('id').where('id', '=', id).forUpdate().execute()
        // Both are due on the way, the balance first.
        advance = devices.advance('P70D')
        await sleep(500)
        await loadCourses(tx, server.tenantIds.sandbox, [id])
      })
      await advance
      expect((await movesOf(id)).map(([kind]) => kind)).toEqual([
        'Initial',
        'Lapse',
        'AutoBalance',
        'Lapse',
        'AutoBalance',
      ])
    },
  )

  test('while a clock goes past a great many fillings others write, and each filling is there once', async () => {
    const id = await newBalance({ autoBalanceCronSchedule: '*/5 * * * *', autoBalanceCreditAmount: 1 })
    const from = await now()
    let isOver = false
    const advanced = devices.advance('P60D').finally(() => {
      isOver = true
    })
    let written = 0
    for (; !isOver; written++)
      await must(server.api('POST', '/api/v1/provision/admin/tags', { body: { scope: 'Product', name: `${written}` } }))
    expect(written).toBeGreaterThan(5)
    await advanced
    const [{ id: entryId }] = (
      await devices.get('admin/audit?filter=operation==admin.testClock.advance&sortOrder=-occurredAt')
    ).items
    const entry = await devices.get(`admin/audit/${entryId}`)
    const to = new Date(entry.after['/now'])
    const sixtyDays = 60 * 24 * 3_600_000
    expect(to.getTime() - from.getTime()).toBeGreaterThanOrEqual(sixtyDays)
    expect(to.getTime() - from.getTime()).toBeLessThan(sixtyDays + 60_000)
    const { totalCount } = await devices.get(
      `operational/entitlements/${id}/balances/credits/ledger?filter=kind==AutoBalance`,
    )
    const fiveMinutes = 300_000
    expect(totalCount).toBe(Math.floor(to.getTime() / fiveMinutes) - Math.floor(from.getTime() / fiveMinutes))
    for (const begun of [entry.before['/now'], entry.occurredAt])
      expect(Date.parse(begun) - from.getTime()).toBeLessThan(60_000)
  })
})
