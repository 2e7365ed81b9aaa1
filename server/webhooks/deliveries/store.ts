import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Readable, Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { insertStatements, runStatements, storeOf } from '../../kit/records/store.ts'
import type { EventRow } from '../signing/envelope.ts'
import type { DeliveryRow } from './pending.ts'

/** By what a subscription is known. */
type Subscribed = Pick<Tables['webhook_subscriptions'], 'tenant_id' | 'id'>

type AttemptRow = Tables['webhook_attempts']
/** What came of an attempt. */
export type Outcome = Pick<AttemptRow, 'status' | 'error'>

/** How many attempts of a delivery are told at most. */
const mostAttempts = 100
/** How many deliveries one statement changes at most on SQLite. */
const mostAtOnce = 200

/** A tenant's deliveries. */
export const deliveriesOf = (read: Readable, tenantId: string) =>
  read.selectFrom('webhook_deliveries').where('tenant_id', '=', tenantId)

const deliveryOf = (read: Readable, tenantId: string, id: string) =>
  read.selectFrom('webhook_deliveries').selectAll().where('id', '=', id.toLowerCase()).where('tenant_id', '=', tenantId)

/** The tenant's delivery of this id; throws the not-found problem. */
export async function getDelivery(read: Readable, tenantId: string, id: string): Promise<DeliveryRow> {
  const row = await deliveryOf(read, tenantId, id).executeTakeFirst()
  if (!row) throw recordNotFound('delivery')
  return row
}

/** The same, nobody else's to change until the transaction ends. */
export async function lockDelivery(tx: Tx, tenantId: string, id: string): Promise<DeliveryRow> {
  const row = await deliveryOf(tx, tenantId, id).forUpdate().executeTakeFirst()
  if (!row) throw recordNotFound('delivery')
  return row
}

/** The event that a delivery tells of, which is kept as long as the delivery; throws the not-found problem when both went just now. */
export async function getEvent(read: Readable, { event_id }: DeliveryRow): Promise<EventRow> {
  const row = await read.selectFrom('events').selectAll().where('id', '=', event_id).executeTakeFirst()
  if (!row) throw recordNotFound('delivery')
  return row
}

/** The last attempts of a delivery, the oldest first. */
export async function listAttempts(read: Readable, deliveryId: string): Promise<AttemptRow[]> {
  const newest = read.selectFrom('webhook_attempts').selectAll().where('delivery_id', '=', deliveryId)
  return (await newest.orderBy('id', 'desc').limit(mostAttempts).execute()).reverse()
}

/** What came of the last attempt of each of these deliveries that was ever tried, by its id. */
export async function readLastOutcomes(read: Readable, deliveryIds: readonly string[]): Promise<Map<string, Outcome>> {
  if (deliveryIds.length === 0) return new Map()
  const { rows } = await sql<Outcome & { delivery_id: string }>`select delivery_id, status, error
from webhook_attempts as made where ${isAmong(read, 'delivery_id', listed(read, deliveryIds))}
and id = (select max(id) from webhook_attempts where delivery_id = made.delivery_id)`.execute(read)
  return new Map(rows.map(({ delivery_id, ...outcome }) => [delivery_id, outcome]))
}

/** What came of the last attempt of a delivery, within a query of deliveries. */
export const ofLastAttempt = (column: keyof Outcome) => sql<unknown>`(select made.${sql.ref(column)}
from webhook_attempts as made where made.delivery_id = webhook_deliveries.id order by made.id desc limit 1)`

/**
 * Writes new rows. On SQLite one parameter carries them all, as JSON: a statement for each number of rows there may be
 * would be prepared again and again, and what that takes is given back late.
 */
async function insertMany<T extends 'webhook_deliveries' | 'webhook_attempts'>(
  tx: Tx,
  table: T,
  rows: readonly Tables[T][],
  otherwise = '',
): Promise<void> {
  if (rows.length === 0) return
  if (storeOf(tx) === 'postgres') return runStatements(tx, insertStatements('postgres', table, rows, otherwise))
  const columns = Object.keys(rows[0]!)
  const text = `insert into ${table} (${columns.join(',')})
select ${columns.map((column) => `value->>'${column}'`).join(',')} from json_each(?) where true ${otherwise}`
  await runStatements(tx, [{ text, parameters: [JSON.stringify(rows)] }])
}

/** Keeps new deliveries, however many, in few statements. */
export const insertDeliveries = (tx: Tx, rows: readonly DeliveryRow[]): Promise<void> =>
  insertMany(tx, 'webhook_deliveries', rows)

/** Keeps attempts, however many, in few statements, each once. What an endpoint answered may hold a NUL, which PostgreSQL keeps in no text. */
export async function insertAttempts(tx: Tx, rows: readonly AttemptRow[]): Promise<void> {
  const kept = rows.map((row) => ({
    ...row,
    response_excerpt: row.response_excerpt?.replaceAll('\0', '\ufffd') ?? null,
  }))
  await insertMany(tx, 'webhook_attempts', kept, 'on conflict do nothing')
}

/** Keeps a subscription from being deleted until the transaction ends; answers false when it is already, or there is none. */
export async function holdSubscription(tx: Tx, { tenant_id, id }: Subscribed): Promise<boolean> {
  const live = tx.selectFrom('webhook_subscriptions').select('id').where('tenant_id', '=', tenant_id)
  const rows = await live.where('id', '=', id).where('is_deleted', '=', no).forShare().execute()
  return rows.length > 0
}

/** As a delivery is that waits for the first attempt of a whole budget. */
const anew = (now: number) => ({
  status: 'Pending' as const,
  attempts: 0,
  budget_started_at: null,
  next_attempt_at: now,
  ended_at: null,
})

/** Lets a dead letter be tried again from now on. */
export const requeueDelivery = async (tx: Tx, id: string, now: number): Promise<void> =>
  void (await tx.updateTable('webhook_deliveries').set(anew(now)).where('id', '=', id).execute())

/** The same of all dead letters of a subscription that were given up at `since` or later; answers how many. */
export const requeueDeliveries = (tx: Tx, { tenant_id, id }: Subscribed, since: number, now: number): Promise<number> =>
  changeAll(
    tx,
    anew(now),
    sql`tenant_id = ${tenant_id} and subscription_id = ${id} and status = 'DeadLettered' and ended_at >= ${since}
and event_type <> 'Webhooks.Registration.Challenge'`,
  )

/**
 * Lets what waits for a subscription be tried from now on, with a whole budget: that nobody listened for a while is no
 * fault of the delivery.
 */
export const resumeDeliveries = async (tx: Tx, subscriptionId: string, now: number): Promise<void> =>
  void (await changeAll(tx, anew(now), sql`subscription_id = ${subscriptionId} and status = 'Pending'`))

/** The subscriptions for which something waits for longer than so many milliseconds from now, with now on their tenants' clocks. */
export async function listSubscriptionsAhead(
  read: Readable,
  realNow: number,
  most: number,
): Promise<{ id: string; now: number }[]> {
  const { rows } = await sql<{ id: string; clock_offset: number }>`select s.id, t.clock_offset
from webhook_subscriptions as s join tenants as t on t.id = s.tenant_id
where s.is_deleted = 0 and (select max(d.next_attempt_at) from webhook_deliveries as d
  where d.subscription_id = s.id and d.status = 'Pending') > t.clock_offset + ${realNow + most}`.execute(read)
  return rows.map(({ id, clock_offset }) => ({ id, now: realNow + clock_offset }))
}

/** Lets what waits for a subscription for longer than that be tried from now on, with a whole budget. */
export const resumeDeliveriesAhead = async (tx: Tx, subscriptionId: string, now: number, most: number): Promise<void> =>
  void (await changeAll(
    tx,
    anew(now),
    sql`subscription_id = ${subscriptionId} and status = 'Pending' and next_attempt_at > ${now + most}`,
  ))

/** Gives up whatever is still pending for a subscription. */
export const buryDeliveries = async (tx: Tx, subscriptionId: string, now: number): Promise<void> =>
  void (await changeAll(
    tx,
    { status: 'DeadLettered', next_attempt_at: null, ended_at: now },
    sql`subscription_id = ${subscriptionId} and status = 'Pending'`,
  ))

/**
 * Changes all of these deliveries; answers how many. PostgreSQL goes through them once, in one statement: slices it would look
 * for among all that wait, by statistics of before they did. SQLite changes so many at a time that others have their turn in
 * between. A status is said as a literal, so that an index of those of one status serves.
 */
async function changeAll(tx: Tx, change: Partial<DeliveryRow>, among: RawBuilder<SqlBool>): Promise<number> {
  const update = tx.updateTable('webhook_deliveries').set(change)
  if (storeOf(tx) === 'postgres') return Number((await update.where(among).executeTakeFirstOrThrow()).numUpdatedRows)
  const found = await tx.selectFrom('webhook_deliveries').select('id').where(among).execute()
  for (let start = 0; start < found.length; start += mostAtOnce) {
    const slice = found.slice(start, start + mostAtOnce).map(({ id }) => id)
    await update.where(isAmong(tx, 'id', listed(tx, slice))).execute()
    await nextTurn()
  }
  return found.length
}

/** The tenants whose oldest event is at least so old (milliseconds), with now on their clocks: no other has anything old. */
export async function listTenantsWithEvents(
  read: Readable,
  realNow: number,
  age: number,
): Promise<{ id: string; now: number }[]> {
  const { rows } = await sql<{ id: string; clock_offset: number }>`select id, clock_offset from tenants
where exists (select 1 from events where tenant_id = tenants.id and occurred_at <= tenants.clock_offset + ${realNow - age})`.execute(
    read,
  )
  return rows.map(({ id, clock_offset }) => ({ id, now: realNow + clock_offset }))
}

/** Gives up what has waited since before an instant for a subscription that nobody made Active again. */
export const giveUpWaiting = async (tx: Tx, tenantId: string, before: number, now: number): Promise<void> =>
  void (await changeAll(
    tx,
    { status: 'DeadLettered', next_attempt_at: null, ended_at: now },
    sql`tenant_id = ${tenantId} and created_at < ${before} and status = 'Pending'
and subscription_id in (select id from webhook_subscriptions where tenant_id = ${tenantId} and status <> 'Active')`,
  ))

/**
 * The ids of deliveries that were over before an instant, the first to end first; those that another process changes are left
 * to it.
 */
export async function listEndedDeliveries(
  tx: Tx,
  tenantId: string,
  status: 'Delivered' | 'DeadLettered',
  before: number,
  most: number,
): Promise<string[]> {
  const rows = await deliveriesOf(tx, tenantId)
    .select('id')
    .where('status', '=', status)
    .where('ended_at', 'is not', null)
    .where('ended_at', '<', before)
    .orderBy('ended_at')
    .limit(most)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(({ id }) => id)
}

/** Forgets deliveries and their attempts. */
export async function deleteDeliveries(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const gone = listed(tx, ids)
  await tx
    .deleteFrom('webhook_attempts')
    .where(isAmong(tx, 'delivery_id', gone))
    .execute()
  await tx
    .deleteFrom('webhook_deliveries')
    .where(isAmong(tx, 'id', gone))
    .execute()
}

export interface OldEvent {
  id: string
  occurred_at: number
  /** Whether a delivery tells of it, or it was handed out to nobody yet. */
  is_needed: boolean | number
}

/** A tenant's events of before an instant in the order of time, those after `last` if there is one. */
export async function listOldEvents(
  read: Readable,
  tenantId: string,
  before: number,
  last: OldEvent | undefined,
  most: number,
): Promise<OldEvent[]> {
  const after = last ? sql`and (e.occurred_at, e.id) > (${last.occurred_at}, ${last.id})` : sql``
  const { rows } = await sql<OldEvent>`select e.id, e.occurred_at,
(exists (select 1 from undispatched_events as u where u.event_id = e.id) or exists (select 1 from webhook_deliveries as d
  where d.tenant_id = e.tenant_id and d.created_at = e.occurred_at and d.event_id = e.id)) as is_needed
from events as e where e.tenant_id = ${tenantId} and e.occurred_at < ${before} ${after}
order by e.occurred_at, e.id limit ${most}`.execute(read)
  return rows
}

/** Forgets events of which no delivery tells. */
export const deleteEvents = async (tx: Tx, ids: readonly string[]): Promise<void> =>
  void (await tx
    .deleteFrom('events')
    .where(isAmong(tx, 'id', listed(tx, ids)))
    .execute())
