import { describe, expect, test } from 'vitest'
import { newId } from '../../../server/kit/ids.ts'
import { type DeliveryRow, pendingDelivery } from '../../../server/webhooks/deliveries/pending.ts'
import { insertAttempts, insertDeliveries } from '../../../server/webhooks/deliveries/store.ts'
import type { EventRow } from '../../../server/webhooks/signing/envelope.ts'
import type { TestTenant } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { databaseBeside } from '../entitlements/coded-entitlements.ts'

type Json = ReturnType<typeof JSON.parse>

const path = '/api/v1/webhooks/admin'
const at = (text: string) => Date.parse(text)
const start = at('2026-03-01T00:00:00Z')
const hour = 3_600_000

forEachStore((store) => {
  const server = serveTests(store)
  const beside = databaseBeside(server)

  /** A subscription that is not verified: whatever is pending for it waits. */
  const newSubscription = async (tenant: TestTenant = 'acme'): Promise<string> => {
    const body = { url: 'https://receiver.example/hook', eventTypes: ['*'] }
    return (await must(server.api('POST', `${path}/subscriptions`, { tenant, body }))).id
  }

  /** A delivery of an event of its own, with attempts that were answered so. */
  const newDelivery = (
    subscriptionId: string,
    {
      attempts = [],
      data = '{"n":1}',
      type,
      ...fields
    }: Partial<Omit<DeliveryRow, 'attempts'>> & {
      attempts?: { status: number | null; error: string | null; excerpt?: string }[]
      data?: string
      type?: string
    } = {},
    tenant: TestTenant = 'acme',
  ): Promise<string> =>
    beside.open.transact(async (tx) => {
      const event: EventRow = {
        ...{ id: newId(), tenant_id: server.tenantIds[tenant], type: type ?? 'Entitlement.Activated' },
        ...{ entity_kind: 'entitlement', entity_id: noSuchId, subject: noSuchId, event_version: 1 },
        ...{ occurred_at: start, actor: 'test', correlation_id: 'of-its-request', data },
      }
      await tx.insertInto('events').values(event).execute()
      const delivery = { ...pendingDelivery(event, subscriptionId), attempts: attempts.length, ...fields }
      await insertDeliveries(tx, [delivery])
      const made = attempts.map(({ status, error, excerpt = null }, index) => ({
        ...{ delivery_id: delivery.id, id: newId(), tenant_id: event.tenant_id, attempt: index + 1 },
        ...{ attempted_at: start + index * hour, latency_millis: 12, status, error, response_excerpt: excerpt },
      }))
      if (made.length > 0) await insertAttempts(tx, made)
      return delivery.id
    })
  const dead = (endedAt = start) => ({
    ...{ status: 'DeadLettered' as const, next_attempt_at: null, ended_at: endedAt },
    attempts: [{ status: 500, error: 'it answered 500' }],
  })

  const list = (query: string): Promise<Json> => must(server.api('GET', `${path}/deliveries?${query}`))
  const idsOf = async (query: string): Promise<string[]> => (await list(query)).items.map(({ id }: Json) => id)
  const get = (id: string): Promise<Json> => must(server.api('GET', `${path}/deliveries/${id}`))
  const requeue = (id: string) => server.api('POST', `${path}/deliveries/${id}/requeue`)

  describe('reading', () => {
    test('deliveries are listed with their last outcome, the newest first, and filtered by whatever is told of them', async () => {
      const subscriptionId = await newSubscription()
      const mine = `filter=subscriptionId==${subscriptionId}`
      const pending = await newDelivery(subscriptionId)
      const failed = await newDelivery(subscriptionId, {
        ...{ created_at: start + 1, type: 'User.Erased' },
        attempts: [
          { status: 503, error: 'it answered 503' },
          { status: null, error: 'the connection was reset' },
        ],
      })
      const over = await newDelivery(subscriptionId, { ...dead(start + hour), created_at: start + 2 })
      const { items, totalCount } = await list(mine)
      expect(totalCount).toBe(3)
      expect(items.map(({ id }: Json) => id)).toEqual([over, failed, pending])
      expect(items[1]).toEqual({
        ...{ id: failed, subscriptionId, eventId: expect.any(String), eventType: 'User.Erased', status: 'Pending' },
        ...{ attemptCount: 2, lastStatus: null, lastError: 'the connection was reset' },
        ...{ createdAt: '2026-03-01T00:00:00.001Z', nextAttemptAt: '2026-03-01T00:00:00.000Z', endedAt: null },
      })
      for (const [query, ids] of [
        [`subscriptionId=${subscriptionId}`, [over, failed, pending]],
        [`filter=subscription==${subscriptionId}`, [over, failed, pending]],
        [`subscriptionId=${subscriptionId.toUpperCase()}&status=Pending`, [failed, pending]],
        [`subscriptionId=${subscriptionId}&eventType=User.Erased&status=Pending`, [failed]],
        [`${mine}&status=DeadLettered`, [over]],
      ] as const)
        expect(await idsOf(query)).toEqual(ids)
      expect([items[0].lastStatus, items[0].endedAt]).toEqual([500, '2026-03-01T01:00:00.000Z'])
      expect(items[2]).toMatchObject({ attemptCount: 0, lastStatus: null, lastError: null })
      const { eventId } = items[1]
      for (const [filter, expected] of [
        ['status==DeadLettered', [over]],
        ['eventType==User.Erased', [failed]],
        ['eventType_=Entitlement.', [over, pending]],
        [`eventId==${eventId}`, [failed]],
        [`id==${pending}`, [pending]],
        ['attemptCount>1', [failed]],
        ['lastStatus>=500', [over]],
        ['lastStatus==null', [failed, pending]],
        ['lastError@=*RESET', [failed]],
        ['createdAt<2026-03-01T00:00:00.002Z,endedAt==null', [failed, pending]],
        ['nextAttemptAt==null', [over]],
        ['endedAt>=2026-03-01T01:00:00Z', [over]],
      ] as const)
        expect([filter, await idsOf(`${mine},${encodeURIComponent(filter)}`)]).toEqual([filter, expected])
      expect(await idsOf(`${mine}&sortOrder=status,createdAt&pageSize=2`)).toEqual([over, pending])
      expect(await idsOf(`${mine}&sortOrder=-lastStatus,lastError`)).toEqual([over, pending, failed])
      const refused = await server.api('GET', `${path}/deliveries?filter=claimedBy==x`)
      expect(problemOf(refused)).toEqual([400, 'license.validation_error'])
    })

    test('one is read with its envelope, digit by digit, the request it came of, and all its attempts', async () => {
      const id = await newDelivery(await newSubscription(), {
        data: '{"usage":9007199254740993.000000001,"name":"Ünïcode\\u0000"}',
        attempts: [
          { status: 500, error: 'it answered 500', excerpt: 'oops \0' },
          { status: 200, error: null },
        ],
      })
      const { text, body } = await server.api('GET', `${path}/deliveries/${id}`)
      expect(text).toContain('"usage":9007199254740993.000000001')
      expect(Object.keys(body.event)).toEqual([
        ...['specversion', 'id', 'source', 'type', 'time', 'subject', 'datacontenttype'],
        ...['tenantid', 'entitykind', 'entityid', 'eventversion', 'data'],
      ])
      expect(body.event).toMatchObject({ id: body.eventId, time: '2026-03-01T00:00:00.000Z' })
      expect(body.event.data.name).toBe('Ünïcode\0')
      expect(body.correlationId).toBe('of-its-request')
      expect([body.lastStatus, body.lastError]).toEqual([200, null])
      const attempt = { attempt: 1, at: '2026-03-01T00:00:00.000Z', latencyMillis: 12 }
      expect(body.attempts).toEqual([
        { ...attempt, status: 500, error: 'it answered 500', responseExcerpt: 'oops \ufffd' },
        { ...attempt, attempt: 2, at: '2026-03-01T01:00:00.000Z', status: 200, error: null, responseExcerpt: null },
      ])
    })
  })

  describe('queueing anew', () => {
    test('a dead letter gets a whole budget from now on, and keeps the attempts it had', async () => {
      const id = await newDelivery(await newSubscription(), dead())
      const before = Date.now()
      const queued = await must(requeue(id))
      expect(queued).toMatchObject({ id, status: 'Pending', attemptCount: 0, lastStatus: 500, endedAt: null })
      expect(at(queued.nextAttemptAt)).toBeGreaterThanOrEqual(before)
      const { attempts, event, correlationId, ...rest } = await get(id)
      expect([rest, attempts.length]).toEqual([queued, 1])
      expect(problemOf(await requeue(id))).toEqual([409, 'catalog.invalid_transition'])
    })

    test('what is pending or delivered, a challenge, and what is for a deleted subscription stays as it is', async () => {
      const subscriptionId = await newSubscription()
      const others = [
        await newDelivery(subscriptionId),
        await newDelivery(subscriptionId, { status: 'Delivered', next_attempt_at: null, ended_at: start }),
        await newDelivery(subscriptionId, { ...dead(), type: 'Webhooks.Registration.Challenge' }),
      ]
      const late = await newDelivery(subscriptionId, dead())
      const kept = await Promise.all([...others, late].map(get))
      for (const id of others) expect(problemOf(await requeue(id))).toEqual([409, 'catalog.invalid_transition'])
      expect(await Promise.all([...others, late].map(get))).toEqual(kept)
      await must(server.api('DELETE', `${path}/subscriptions/${subscriptionId}`))
      expect(await get(others[0]!)).toMatchObject({ status: 'DeadLettered', nextAttemptAt: null })
      for (const id of [others[0]!, late])
        expect(problemOf(await requeue(id))).toEqual([409, 'catalog.invalid_transition'])
    })

    test('all dead letters of a subscription since an instant are queued anew, once for one Idempotency-Key', async () => {
      const subscriptionId = await newSubscription()
      const [early, exactly, later, challenge] = [
        await newDelivery(subscriptionId, dead(start - 1)),
        await newDelivery(subscriptionId, dead(start)),
        await newDelivery(subscriptionId, dead(start + hour)),
        await newDelivery(subscriptionId, { ...dead(start + hour), type: 'Webhooks.Registration.Challenge' }),
      ]
      const other = await newDelivery(await newSubscription(), dead(start + hour))
      const body = { subscriptionId, since: '2026-03-01T01:00:00+01:00' }
      const headers = { 'idempotency-key': `since ${subscriptionId}` }
      const all = (more: object = {}) =>
        server.api('POST', `${path}/deliveries/requeue`, { body: { ...body, ...more }, headers })
      expect(await must(all())).toEqual({ requeued: 2 })
      expect(await must(all())).toEqual({ requeued: 2 })
      const statuses = await Promise.all(
        [early, exactly, later, challenge, other].map(async (id) => (await get(id)).status),
      )
      expect(statuses).toEqual(['DeadLettered', 'Pending', 'Pending', 'DeadLettered', 'DeadLettered'])
      expect(problemOf(await all({ since: '2026-03-02T00:00:00Z' }))).toEqual([409, 'request.idempotency_conflict'])
    })
  })

  test('the neighbour sees none of it, and each verb has its scope', async () => {
    const subscriptionId = await newSubscription()
    const id = await newDelivery(subscriptionId, dead())
    const since = { subscriptionId, since: '2026-01-01T00:00:00Z' }
    const questions = [
      ['GET', `deliveries/${id}`, undefined],
      ['POST', `deliveries/${id}/requeue`, undefined],
      ['POST', 'deliveries/requeue', since],
    ] as const
    for (const [method, where, body] of questions) {
      const refused = await server.api(method, `${path}/${where}`, { tenant: 'neighbour', body })
      expect(problemOf(refused)).toEqual([404, 'license.record_not_found'])
    }
    const neighbours = await must(server.api('GET', `${path}/deliveries`, { tenant: 'neighbour' }))
    expect(neighbours.totalCount).toBe(0)
    expect((await get(id)).status).toBe('DeadLettered')
    const [reading, changing] = [
      await server.tokenWith(['webhooks.deliveries:read']),
      await server.tokenWith(['webhooks.deliveries:update']),
    ]
    for (const [method, where, body] of [...questions, ['GET', 'deliveries', undefined]] as const) {
      const wrong = method === 'GET' ? changing : reading
      const refused = await server.api(method, `${path}/${where}`, { token: wrong, body })
      expect(problemOf(refused)).toEqual([403, 'auth.insufficient_scope'])
      const [anonymous, right] = [null, method === 'GET' ? reading : changing]
      expect((await server.api(method, `${path}/${where}`, { token: anonymous, body })).status).toBe(401)
      expect((await server.api(method, `${path}/${where}`, { token: right, body })).status).not.toBe(403)
    }
    const refused = await server.api('POST', `${path}/deliveries/requeue`, { body: { subscriptionId, since: 'today' } })
    expect(problemOf(refused)).toEqual([400, 'license.validation_error'])
  })
})
