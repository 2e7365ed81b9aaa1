import { expect, test } from 'vitest'
import { lease } from '../../../server/webhooks/dispatch/store.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { webhooksOf } from './subscribed.ts'

const [minute, hour] = [60_000, 3_600_000]

forEachStore((store) => {
  const server = serveTests(store, { allowPrivateWebhooks: true })
  const { subscribe, cause, database } = webhooksOf(server)

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
