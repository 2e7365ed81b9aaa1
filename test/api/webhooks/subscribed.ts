import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Database } from '../../../server/database/database.ts'
import { openDatabase } from '../../../server/database/open.ts'
import type { SqliteStore } from '../../../server/database/sqlite.ts'
import { type Happening, recordEvents } from '../../../server/kit/outbox.ts'
import { everyScope, type TestServer, type TestTenant } from '../../support/server.ts'
import { openReceiver, type Receiver } from './receiver.ts'

/**
 * A database whose server runs in this very process: who waits for its lock without giving the server its turn waits in vain
 * (SQLite).
 */
function besideItsServer(database: Database): Database {
  if ('writer' in database) (database as SqliteStore).writer.pragma('busy_timeout = 0')
  const transact: Database['transact'] = async (work) => {
    while (true)
      try {
        return await database.transact(work)
      } catch (error) {
        if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
        await sleep(1)
      }
  }
  return { ...database, transact }
}

type Json = ReturnType<typeof JSON.parse>
type AttemptRow = { attempt: number; at: string; latencyMillis: number; status: number | null; error: string | null }

export const webhooks = '/api/v1/webhooks/admin'

/** What the tests of deliveries do on a server, on the sandbox tenant unless told. */
export function webhooksOf(server: TestServer) {
  const subscribed: { path: string; tenant: TestTenant; receiver: Receiver }[] = []
  let database: Database
  beforeAll(() => {
    database = besideItsServer(openDatabase(server.databaseUrl))
  })
  afterAll(async () => {
    for (const { receiver } of subscribed) await receiver.close()
    await database.close()
  })

  async function ask(method: string, path: string, body?: object, tenant: TestTenant = 'sandbox'): Promise<Json> {
    const answer = await server.api(method, path, { tenant, body })
    expect([method, path, answer.status], answer.text).toEqual([method, path, method === 'DELETE' ? 204 : 200])
    return answer.body
  }

  /** A receiver with an Active subscription to everything, or as wished. */
  async function subscribe(wish: object = {}, tenant: TestTenant = 'sandbox'): Promise<Receiver & { id: string }> {
    const receiver = await openReceiver()
    const { url, secret } = receiver
    const { id } = await ask('POST', `${webhooks}/subscriptions`, { url, secret, eventTypes: ['*'], ...wish }, tenant)
    await ask('POST', `${webhooks}/subscriptions/${id}/verify`, undefined, tenant)
    subscribed.push({ path: `${webhooks}/subscriptions/${id}`, tenant, receiver })
    return Object.assign(receiver, { id })
  }

  /** Ends every subscription that was made until now. */
  async function forget(): Promise<void> {
    for (const { path, tenant, receiver } of subscribed.splice(0)) {
      await server.api('DELETE', path, { tenant })
      await receiver.close()
    }
  }

  /** So many events at once. */
  const cause = (count = 1, data: object = { plan: 'Zürich ☃ 🎟' }, tenant: TestTenant = 'sandbox') =>
    database.transact(async (tx) => {
      const tenantId = server.tenantIds[tenant]
      const { clock_offset } = await tx
        .selectFrom('tenants')
        .select('clock_offset')
        .where('id', '=', tenantId)
        .executeTakeFirstOrThrow()
      const happening = { type: 'Entitlement.Cancelled', entityId: crypto.randomUUID(), data } as Happening
      await recordEvents(
        { tx, tenantId, now: Date.now() + clock_offset, actor: 'test', correlationId: 'test' },
        Array.from({ length: count }, () => happening),
      )
    })

  /** Advances the sandbox's clock; its token expires by it. */
  async function advance(by: string): Promise<void> {
    await ask('POST', '/api/v1/provision/admin/test-clock/advance', { by })
    server.tokens.sandbox = await server.tokenWith(everyScope, 'sandbox')
  }

  /** The deliveries to a subscription, the oldest first. */
  async function deliveriesTo({ id }: { id: string }, tenant?: TestTenant): Promise<Json[]> {
    const search = new URLSearchParams({ filter: `subscriptionId==${id}`, pageSize: '100' })
    const { items } = await ask('GET', `${webhooks}/deliveries?${search}`, undefined, tenant)
    const told = (items as Json[]).filter(({ eventType }) => eventType !== 'Webhooks.Registration.Challenge')
    return told.reverse()
  }

  /** The one delivery to a subscription, with its attempts. */
  async function deliveryTo(receiver: { id: string }): Promise<Record<string, Json> & { attempts: AttemptRow[] }> {
    const [one, ...others] = await deliveriesTo(receiver)
    expect(others).toEqual([])
    return ask('GET', `${webhooks}/deliveries/${one.id}`)
  }

  const subscriptionOf = ({ id }: { id: string }) => ask('GET', `${webhooks}/subscriptions/${id}`)

  return { ask, subscribe, forget, cause, advance, deliveriesTo, deliveryTo, subscriptionOf, database: () => database }
}
