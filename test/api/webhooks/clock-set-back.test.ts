import { expect, test } from 'vitest'
import { newId } from '../../../server/kit/ids.ts'
import { pendingDelivery } from '../../../server/webhooks/deliveries/pending.ts'
import { purgeDeliveries } from '../../../server/webhooks/deliveries/retention.ts'
import { insertDeliveries } from '../../../server/webhooks/deliveries/store.ts'
import { lease } from '../../../server/webhooks/dispatch/store.ts'
import type { TestTenant } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { noSuchId } from '../catalog/catalog-collection.ts'
import { webhooksOf } from './subscribed.ts'

const [minute, hour] = [60_000, 3_600_000]

forEachStore((store) => {
  const server = serveTests(store, { allowPrivateWebhooks: true })
  const { subscribe, cause, advance, deliveriesTo, database } = webhooksOf(server)

  /** As if another process had leased it until so long from now. */
  const leaseToAnother = (subscription_id: string, millis: number) => {
    const held = { leased_by: 'another', leased_until: Date.now() + millis }
    return database().transact((tx) =>
      tx
        .insertInto('webhook_leases')
        .values({ subscription_id, tenant_id: server.tenantIds.sandbox, ...held })
        .onConflict((conflict) => conflict.column('subscription_id').doUpdateSet(held))
        .execute(),
    )
  }
  const leased = async (id: string) => (await database().transact((tx) => lease(tx, 'one', [id]))).has(id)

  /** A delivery whose fourth attempt is planned for so long from the machine's now; answers the id of its event. */
  const plan = (tenant: TestTenant, subscriptionId: string, millis: number) =>
    database().transact(async (tx) => {
      const next_attempt_at = Date.now() + millis
      const event = {
        ...{ id: newId(), tenant_id: server.tenantIds[tenant], type: 'User.Erased', entity_kind: 'user' },
        ...{ entity_id: noSuchId, subject: noSuchId, event_version: 1, occurred_at: next_attempt_at - hour },
        ...{ actor: 'test', correlation_id: 'test', data: '{}' },
      }
      await tx.insertInto('events').values(event).execute()
      const tried = { attempts: 3, budget_started_at: event.occurred_at, next_attempt_at }
      await insertDeliveries(tx, [{ ...pendingDelivery(event, subscriptionId), ...tried }])
      return event.id
    })

  test('what was planned when the clock was ahead is tried now with a whole budget, by the clock of each tenant', async () => {
    await advance('PT3H')
    const [live, sandbox] = [await subscribe({}, 'acme'), await subscribe()]
    const far = [await plan('acme', live.id, 25 * hour), await plan('sandbox', sandbox.id, 28 * hour)]
    const near = [await plan('acme', live.id, 1.9 * hour), await plan('sandbox', sandbox.id, 4.9 * hour)]
    const before = [await deliveriesTo(live, 'acme'), await deliveriesTo(sandbox)]
    await purgeDeliveries(database())
    for (const [at, tenant] of (['acme', 'sandbox'] as const).entries()) {
      const receiver = [live, sandbox][at]!
      const standing = async () => {
        const deliveries = await deliveriesTo(receiver, tenant)
        return [far, near].map((ids) => deliveries.find(({ eventId }) => eventId === ids[at]))
      }
      await expect.poll(standing, { timeout: 20_000 }).toMatchObject([{ status: 'Delivered', attemptCount: 1 }, {}])
      expect((await standing())[1]).toEqual(before[at]!.find(({ eventId }) => eventId === near[at]))
      expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([far[at]])
    }
  })

  test('a lease holds until it is over, and one that a clock made which was ahead holds up nobody', async () => {
    const { id } = await subscribe()
    await leaseToAnother(id, 5000)
    expect(await leased(id)).toBe(false)
    await leaseToAnother(id, -1000)
    expect(await leased(id)).toBe(true)
    await leaseToAnother(id, minute)
    expect(await leased(id)).toBe(true)
  })

  test('what is due is sent, though a process that ended had leased it when the clock was an hour ahead', async () => {
    const receiver = await subscribe()
    await leaseToAnother(receiver.id, hour)
    await cause()
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(1)
  })
})
