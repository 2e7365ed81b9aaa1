import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../server/database/database.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { blankEntitlement } from '../../../server/entitlements/entitlements/blank.ts'
import { entitlementsDue } from '../../../server/entitlements/life/due.ts'
import { settle } from '../../../server/entitlements/life/settling.ts'
import type { Cause } from '../../../server/kit/outbox.ts'
import { writeRecords } from '../../../server/kit/records/store.ts'
import { furnishedDatabase } from '../../support/server.ts'
import { originOf, serverProcesses } from '../../support/server-processes.ts'
import { forEachStore } from '../../support/stores.ts'

const hour = 3_600_000
const missed = 600

forEachStore((store) => {
  let url: string
  let tenantId: string
  let database: Database
  beforeAll(async () => {
    const furnished = await furnishedDatabase(store)
    url = furnished.databaseUrl
    tenantId = furnished.tenantIds.acme
    database = openDatabase(url)
  })
  afterAll(() => database.close())
  const start = serverProcesses()

  const countRenewals = async () => {
    const { count } = await database.read
      .selectFrom('events')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('tenant_id', '=', tenantId)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  test('servers that make up for a long rest record each renewal once, though one of them is killed at it', async () => {
    const servers = [start(url), start(url)]
    await Promise.all(servers.map(originOf))
    // The next one is due half an hour from now, when this test is over.
    const first = Date.now() - hour / 2 - (missed - 1) * hour
    const ids = await database.transact(async (tx) => {
      const cause: Cause = { tx, tenantId, now: first - 1, actor: 'test', correlationId: 'test' }
      const rows = Array.from({ length: 10 }, () => ({
        ...blankEntitlement(cause),
        ...{ status: 'Active', renewal_policy: '{"period":"Hourly","autoRenew":true}', expiration_date_time: first },
      }))
      const settled = rows.map((row) => settle(row, cause.now).row)
      await writeRecords(tx, 'entitlements', settled)
      return rows.map(({ id }) => id)
    })

    while ((await countRenewals()) === 0) await sleep(5)
    servers[0]!.kill('SIGKILL')
    while ((await entitlementsDue.findNext(database.read, tenantId))! <= Date.now()) await sleep(50)

    const events = await database.read
      .selectFrom('events')
      .select(['entity_id', 'occurred_at'])
      .where('tenant_id', '=', tenantId)
      .orderBy('id')
      .execute()
    const instants = Array.from({ length: missed }, (_, index) => first + index * hour)
    for (const id of ids)
      expect(events.filter(({ entity_id }) => entity_id === id).map(({ occurred_at }) => occurred_at)).toEqual(instants)
    expect(events).toHaveLength(ids.length * missed)
  })
})
