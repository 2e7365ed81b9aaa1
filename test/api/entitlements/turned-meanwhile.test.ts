import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { devicesOf } from '../activations/devices.ts'
import { nextNumber } from '../catalog/catalog-collection.ts'

/** What can be done to a Draft of which an offer is made meanwhile. */
const deeds: Record<string, (id: string) => { path: string; body: unknown }> = {
  'credits are deposited': (id) => ({
    ...{ path: `operational/entitlements/${id}/balances/credits/deposit`, body: { amount: 1 } },
  }),
  'credits are granted': (id) => ({
    ...{ path: `operational/entitlements/${id}/credit-grants`, body: { metric: 'credits', amount: 1 } },
  }),
  'usage is uploaded': (id) => ({
    path: `usage/entitlements/${id}/transactions`,
    body: [
      {
        ...{ transactionId: 1, creationDateTime: new Date().toISOString(), eventName: 'UsageReported' },
        eventData: JSON.stringify({ metricName: 'credits', amount: 1 }),
      },
    ],
  }),
}

forEachStore((store) => {
  const server = serveTests(store)
  const acme = devicesOf(server)

  /** Lets nobody take the products of an entitlement off until it is let go; on SQLite, where who writes is alone, nothing. */
  async function hold(entitlementId: string) {
    if (store.kind === 'sqlite') return { isMet: async () => undefined, letGo: async () => undefined }
    const client = new Client({ connectionString: server.databaseUrl })
    await client.connect()
    await client.query('begin')
    await client.query('select 1 from entitlement_products where entitlement_id = $1 for update', [entitlementId])
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const isMet = async () => {
      while ((await client.query(waiting)).rowCount === 0) await sleep(5)
    }
    const letGo = async () => {
      await client.query('commit')
      await client.end()
    }
    return { isMet, letGo }
  }

  test.each(Object.keys(deeds))('%s, or the Draft becomes an offer', async (name) => {
    const { id: productId } = await acme.post('admin/products', { name: 'P', productCode: `TURNED${nextNumber()}` })
    const balanceUsage = { initialCreditAmount: 5 }
    await acme.post('admin/monitored-assets', { productId, metricName: 'credits', name: 'Credits', balanceUsage })
    const { id } = await acme.newEntitlement({ status: 'Draft', products: [{ productId }] })
    const { path, body } = deeds[name]!(id)
    const held = await hold(id)
    const turning = acme.at('PATCH', `admin/entitlements/${id}`, { body: { isOffer: true } })
    await held.isMet()
    const doing = acme.at('POST', path, { body })
    await Promise.race([doing, sleep(200)])
    await held.letGo()
    const [turned, done] = await Promise.all([turning, doing])
    expect([turned.status, done.status]).toEqual([200, 404])
    expect(done.body.detail).toMatch(/^This is an offer, which nobody holds/)
  })
})
