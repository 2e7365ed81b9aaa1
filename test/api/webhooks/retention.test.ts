import { expect, test } from 'vitest'
import type { Tx } from '../../../server/database/database.ts'
import { newId } from '../../../server/kit/ids.ts'
import { type DeliveryRow, pendingDelivery } from '../../../server/webhooks/deliveries/pending.ts'
import { purgeDeliveries } from '../../../server/webhooks/deliveries/retention.ts'
import { insertAttempts, insertDeliveries, listOldEvents } from '../../../server/webhooks/deliveries/store.ts'
import type { EventRow } from '../../../server/webhooks/signing/envelope.ts'
import type { TestTenant } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, noSuchId } from '../catalog/catalog-collection.ts'
import { databaseBeside } from '../entitlements/coded-entitlements.ts'

const day = 86_400_000
const subscriptions = '/api/v1/webhooks/admin/subscriptions'

/** An event so many days ago, and how each delivery of it stands. */
interface Told {
  at: number
  deliveries?: { status: DeliveryRow['status']; endedAt?: number }[]
}

forEachStore((store) => {
  const server = serveTests(store)
  const beside = databaseBeside(server)

  /** Keeps events and their deliveries, each with an attempt; answers the events' ids. */
  async function tell(tenant: TestTenant, told: readonly Told[]): Promise<string[]> {
    const body = { url: 'https://receiver.example/hook', eventTypes: ['*'] }
    const { id: subscriptionId } = await must(server.api('POST', subscriptions, { tenant, body }))
    const now = Date.now()
    return beside.open.transact(async (tx) => {
      const rows = told.map(
        ({ at }): EventRow => ({
          ...{ id: newId(), tenant_id: server.tenantIds[tenant], type: 'User.Erased', entity_kind: 'user' },
          ...{ entity_id: noSuchId, subject: noSuchId, event_version: 1, occurred_at: now - at * day, actor: 'test' },
          ...{ correlation_id: 'test', data: '{}' },
        }),
      )
      for (const row of rows) await tx.insertInto('events').values(row).execute()
      const deliveries = told.flatMap(({ deliveries: stands = [] }, index) =>
        stands.map(({ status, endedAt }) => ({
          ...pendingDelivery(rows[index]!, subscriptionId),
          ...(endedAt === undefined ? {} : { status, next_attempt_at: null, ended_at: now - endedAt * day }),
        })),
      )
      await insertDeliveries(tx, deliveries)
      await insertAttempts(
        tx,
        deliveries.map(({ id, tenant_id, created_at }) => ({
          ...{ delivery_id: id, id: newId(), tenant_id, attempt: 1, attempted_at: created_at },
          ...{ latency_millis: 1, status: 200, error: null, response_excerpt: null },
        })),
      )
      return rows.map(({ id }) => id)
    })
  }

  /** For each of these events, how its deliveries stand with as many attempts; nothing of an event that is forgotten. */
  async function leftOf(ids: readonly string[]): Promise<(string[] | undefined)[]> {
    const { read } = beside.open
    return Promise.all(
      ids.map(async (id) => {
        const deliveries = await read.selectFrom('webhook_deliveries').selectAll().where('event_id', '=', id).execute()
        const left = await Promise.all(
          deliveries.map(async ({ id, status }) => {
            const made = await read.selectFrom('webhook_attempts').select('id').where('delivery_id', '=', id).execute()
            return `${status} ${made.length}`
          }),
        )
        const event = await read.selectFrom('events').select('id').where('id', '=', id).executeTakeFirst()
        return event && left.sort()
      }),
    )
  }

  test('what is over is kept for its time, and an event as long as anything tells of it', async () => {
    const [delivered, dead] = ['Delivered', 'DeadLettered'] as const
    const ids = await tell('acme', [
      { at: 100, deliveries: [{ status: delivered, endedAt: 29 }] },
      { at: 100, deliveries: [{ status: delivered, endedAt: 31 }] },
      {
        at: 100,
        deliveries: [
          { status: dead, endedAt: 89 },
          { status: delivered, endedAt: 99 },
        ],
      },
      { at: 100, deliveries: [{ status: dead, endedAt: 91 }] },
      { at: 100, deliveries: [{ status: 'Pending' }] },
      { at: 89, deliveries: [{ status: 'Pending' }] },
      { at: 100 },
      { at: 89, deliveries: [{ status: delivered, endedAt: 88 }] },
      { at: 31 },
    ])
    await purgeDeliveries(beside.open)
    const left = [
      ['Delivered 1'],
      undefined,
      ['DeadLettered 1'],
      undefined,
      ['DeadLettered 1'],
      ['Pending 1'],
      undefined,
      [],
      [],
    ]
    expect(await leftOf(ids)).toEqual(left)
    await purgeDeliveries(beside.open)
    expect(await leftOf(ids)).toEqual(left)
  })

  test('an event that nobody was handed yet is needed, however old it is', async () => {
    const [id] = (await tell('acme', [{ at: 200 }])) as [string]
    const tenant_id = server.tenantIds.acme
    const found = (tx: Tx) => listOldEvents(tx, tenant_id, Date.now() - 199 * day, undefined, 10)
    const undo = new Error('undo')
    await beside.open
      .transact(async (tx) => {
        expect((await found(tx)).map(({ is_needed }) => Boolean(is_needed))).toEqual([false])
        await tx.insertInto('undispatched_events').values({ event_id: id, tenant_id }).execute()
        expect((await found(tx)).map(({ is_needed }) => Boolean(is_needed))).toEqual([true])
        throw undo
      })
      .catch((error: unknown) => expect(error).toBe(undo))
  })

  test("each tenant's settings say how long, counted on its own clock", async () => {
    const webhookRetention = { delivered: 'P2D', deadLettered: 'P1D' }
    const path = '/api/v1/provision/admin/settings'
    await must(server.api('PATCH', path, { tenant: 'neighbour', body: { webhookRetention } }))
    const told: Told[] = [
      { at: 3, deliveries: [{ status: 'Delivered', endedAt: 3 }] },
      {
        at: 3,
        deliveries: [
          { status: 'Delivered', endedAt: 1.9 },
          { status: 'DeadLettered', endedAt: 1.1 },
        ],
      },
      { at: 1.5, deliveries: [{ status: 'DeadLettered', endedAt: 1.1 }] },
    ]
    const [neighbours, sandboxes] = [await tell('neighbour', told), await tell('sandbox', told)]
    await purgeDeliveries(beside.open)
    expect(await leftOf(neighbours)).toEqual([undefined, ['Delivered 1'], []])
    expect((await leftOf(sandboxes)).map((left) => left?.length)).toEqual([1, 2, 1])
    await beside.open.transact(async (tx) => {
      const ahead = { clock_offset: 29 * day }
      await tx.updateTable('tenants').set(ahead).where('id', '=', server.tenantIds.sandbox).execute()
    })
    await purgeDeliveries(beside.open)
    expect(await leftOf(sandboxes)).toEqual([[], ['DeadLettered 1'], ['DeadLettered 1']])
  })

  test('more than one slice of either goes, past what stays', async () => {
    const times = (count: number, told: Told): Told[] => Array.from({ length: count }, () => told)
    const old = { at: 200, deliveries: [{ status: 'Delivered' as const, endedAt: 200 }] }
    const kept = await tell('acme', times(600, { at: 300, deliveries: [{ status: 'DeadLettered', endedAt: 1 }] }))
    const gone = await tell('acme', [...times(1100, old), ...times(600, { at: 250 })])
    await purgeDeliveries(beside.open, AbortSignal.abort())
    expect(await leftOf([gone[0]!, gone.at(-1)!])).toEqual([['Delivered 1'], []])
    await purgeDeliveries(beside.open)
    const { read } = beside.open
    const all = await read
      .selectFrom('events')
      .select('id')
      .where('occurred_at', '<', Date.now() - 150 * day)
      .execute()
    expect(all.map(({ id }) => id).sort()).toEqual(kept.sort())
    const deliveries = await read
      .selectFrom('webhook_deliveries')
      .select('event_id')
      .where('created_at', '<', Date.now() - 150 * day)
      .execute()
    expect(deliveries.map(({ event_id }) => event_id).sort()).toEqual(kept.sort())
  })
})
