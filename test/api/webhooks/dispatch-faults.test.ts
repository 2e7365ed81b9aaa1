import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSealer } from '../../../server/access/installation/master-key.ts'
import { nowOfTenant } from '../../../server/access/tenants/tenant-clock.ts'
import type { Database } from '../../../server/database/database.ts'
import { readDatabaseUrl } from '../../../server/database/database-url.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { openOutgoing } from '../../../server/kit/outgoing/client.ts'
import type { Outgoing } from '../../../server/kit/outgoing/outgoing.ts'
import type { Sealer } from '../../../server/kit/sealing.ts'
import { Dispatcher } from '../../../server/webhooks/dispatch/dispatcher.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { webhooksOf } from './subscribed.ts'

const wait = { timeout: 20_000 }

/** A database whose every third transaction fails, so many times: before it began, or when its commit was done and nobody heard of it. */
function failing(database: Database, most: number): Database & { failures: string[] } {
  const failures: string[] = []
  let transactions = 0
  return {
    ...database,
    failures,
    async transact(work) {
      transactions++
      if (transactions % 3 !== 0 || failures.length >= most) return database.transact(work)
      failures.push(failures.length % 2 === 0 ? 'lost' : 'refused')
      if (failures.at(-1) === 'lost') await database.transact(work)
      throw new Error('the connection was lost')
    },
  }
}

forEachStore((store) => {
  const server = serveTests(store, { allowPrivateWebhooks: true })
  const { subscribe, cause, database } = webhooksOf(server)
  let sealer: Sealer
  let outgoing: Outgoing
  beforeAll(async () => {
    sealer = await openSealer(database(), readDatabaseUrl(server.databaseUrl))
    outgoing = openOutgoing(true)
  })
  afterAll(() => outgoing.close())

  const dispatch = (by: Database) =>
    new Dispatcher({
      ...{ database: by, sealer, outgoing },
      baseUrlOf: (slug) => `http://licet.example/t/${slug}`,
      nowOf: (tenantId) => nowOfTenant(by.read, tenantId),
      observe: () => undefined,
      log: { warn: () => undefined, error: () => undefined },
    })

  test('what came of attempts is kept once, though transactions fail, and fail to say that they did not', async () => {
    const [taking, refusing, dead] = [await subscribe(), await subscribe(), await subscribe()]
    refusing.answer = 400
    dead.answer = 500
    const by = openDatabase(server.databaseUrl)
    await server.close()
    server.close = async () => undefined
    const faulty = failing(by, 3)
    const dispatcher = dispatch(faulty)
    const events = 20
    await cause(events)
    const standingOf = ({ id }: { id: string }) =>
      by.read.selectFrom('webhook_standings').selectAll().where('subscription_id', '=', id).executeTakeFirstOrThrow()
    const attemptsOf = ({ id }: { id: string }) =>
      by.read
        .selectFrom('webhook_attempts')
        .innerJoin('webhook_deliveries', 'webhook_deliveries.id', 'delivery_id')
        .select(['delivery_id', 'attempt', 'webhook_attempts.status'])
        .where('subscription_id', '=', id)
        .where('event_type', '=', 'Entitlement.Cancelled')
        .execute()
    const settled = async () => [(await attemptsOf(taking)).length, (await standingOf(refusing)).dead_letters_in_row]
    await expect.poll(() => faulty.failures, wait).toEqual(['lost', 'refused', 'lost'])
    await expect.poll(settled, wait).toEqual([events, events])
    await dispatcher.stop()

    expect(taking.received).toHaveLength(events)
    expect(refusing.received).toHaveLength(events)
    const tried = await attemptsOf(dead)
    expect(tried).toHaveLength(dead.received.length)
    expect(new Set(tried.map(({ delivery_id, attempt }) => `${delivery_id} ${attempt}`)).size).toBe(tried.length)
    expect((await standingOf(dead)).consecutive_failures).toBe(tried.length)
    await by.close()
  })
})
