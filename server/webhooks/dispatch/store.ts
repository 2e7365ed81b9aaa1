import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Readable, Tx } from '../../database/database.ts'
import { recurs } from '../../kit/compiled-query.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'
import { storeOf } from '../../kit/records/store.ts'
import type { DeliveryRow } from '../deliveries/pending.ts'
import type { EventRow } from '../signing/envelope.ts'
import type { SubscriptionTables } from '../subscriptions/tables.ts'

export type SubscriptionRow = SubscriptionTables['webhook_subscriptions']

/** A subscription with what is to be known of its tenant. */
export type DueSubscription = SubscriptionRow & { slug: string; kind: 'Live' | 'Sandbox'; clock_offset: number }

const rowsOf = async <Row>(read: Readable, query: RawBuilder<Row>): Promise<Row[]> => (await query.execute(read)).rows

const run = async <Row>(read: Readable, text: string, parameters: readonly unknown[]): Promise<Row[]> =>
  (await read.executeQuery(CompiledQuery.raw(recurs(text), [...parameters]))).rows as Row[]

/** Now by the clock that all processes share: the database's own. */
const databaseNow = (read: Readable) =>
  storeOf(read) === 'postgres'
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast((julianday('now') - 2440587.5) * 86400000 as integer)`

/** How long a subscription is leased. */
export const leaseMillis = 6000

const isActive = sql`s.is_deleted = 0 and s.status = 'Active'`
/**
 * Whether what has waited longest for the subscription is due: looked up by the index for each. An `exists` PostgreSQL would
 * make a join with all that waits, or a look through the table, as if that were as little as when it was looked at last.
 */
const isWaitedFor = (due: RawBuilder<unknown>) =>
  sql`(select min(d.next_attempt_at) from webhook_deliveries as d
where d.subscription_id = s.id and d.status = 'Pending') <= ${due}`
/**
 * Whether a lease goes on. One that ends much later than any made now was made by another clock, as before a machine's was set
 * back, and holds nobody up; a clock that is put right by a little ends none.
 */
const isRunning = (read: Readable) =>
  sql`leased_until between ${databaseNow(read)} and ${databaseNow(read)} + ${2 * leaseMillis}`
/** Whether no other process has the subscription. */
const isFree = (read: Readable, processId: string) =>
  sql`not exists (select 1 from webhook_leases as l
where l.subscription_id = s.id and l.leased_by <> ${processId} and ${isRunning(read)})`

/** Whether there are events that nobody was handed. */
export async function isAnythingToHandOut(read: Readable): Promise<boolean> {
  const [row] = await rowsOf<{ found: number | boolean }>(
    read,
    sql`select exists (select 1 from undispatched_events) as found`,
  )
  return Boolean(row!.found)
}

/** Whether something of a tenant is still to be done that is due by now. */
export async function isAnythingDueOf(read: Readable, tenantId: string, now: number): Promise<boolean> {
  const [row] = await rowsOf<{ found: number | boolean }>(
    read,
    sql`select exists (select 1 from undispatched_events where tenant_id = ${tenantId})
or exists (select 1 from webhook_subscriptions as s
where s.tenant_id = ${tenantId} and ${isActive} and ${isWaitedFor(sql`${now}`)}) as found`,
  )
  return Boolean(row!.found)
}

/** The active subscriptions for which deliveries are due by now, each on its tenant's clock, and that no other process has. */
export const listDueSubscriptions = (read: Readable, processId: string, realNow: number): Promise<DueSubscription[]> =>
  rowsOf<DueSubscription>(
    read,
    sql`select s.*, t.slug, t.kind, t.clock_offset from webhook_subscriptions as s join tenants as t on t.id = s.tenant_id
where ${isActive} and ${isFree(read, processId)} and ${isWaitedFor(sql`t.clock_offset + ${realNow}`)}`,
  )

/** Events that nobody was handed, the oldest first. Those that another process hands out are left to it, but for a tenant's alone: they are waited for. */
export async function takeEvents(tx: Tx, most: number, tenantId?: string): Promise<EventRow[]> {
  const lock = storeOf(tx) === 'postgres' ? sql`for update` : sql``
  const skip = storeOf(tx) === 'postgres' && tenantId === undefined ? sql`skip locked` : sql``
  const whose = tenantId === undefined ? sql`` : sql`where tenant_id = ${tenantId}`
  const events = await rowsOf<EventRow>(
    tx,
    sql`with taken as materialized (select event_id from undispatched_events ${whose} order by event_id limit ${most} ${lock} ${skip})
select events.* from taken join events on events.id = taken.event_id`,
  )
  return events.sort((one, other) => (one.id < other.id ? -1 : 1))
}

/**
 * The subscriptions of these tenants that are to be told of events, which stay as they are until the transaction ends: those
 * that are active, and those suspended, for which what happens waits until they are verified again.
 */
export async function holdSubscriptions(tx: Tx, tenantIds: readonly string[]): Promise<SubscriptionRow[]> {
  const lock = storeOf(tx) === 'postgres' ? sql`order by s.id for share` : sql``
  return rowsOf<SubscriptionRow>(
    tx,
    sql`select s.* from webhook_subscriptions as s
where s.is_deleted = 0 and s.status in ('Active', 'Suspended')
and ${isAmong(tx, 's.tenant_id', listed(tx, tenantIds))} ${lock}`,
  )
}

/** Takes subscriptions for oneself until the transaction ends; answers what of them says whether they are as they were. */
export async function lockSubscriptions(
  tx: Tx,
  ids: readonly string[],
): Promise<Pick<SubscriptionRow, 'id' | 'sealed_secrets'>[]> {
  if (ids.length === 0) return []
  return tx
    .selectFrom('webhook_subscriptions')
    .select(['id', 'sealed_secrets'])
    .where(isAmong(tx, 'id', listed(tx, ids)))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Leaves word that events were handed out. */
export const markDispatched = async (tx: Tx, ids: readonly string[]): Promise<void> =>
  void (await rowsOf(tx, sql`delete from undispatched_events where ${isAmong(tx, 'event_id', listed(tx, ids))}`))

/**
 * Leases subscriptions to a process, those anew that it has already; answers which. One that another process has, or is about
 * to have, is left to it; first leases are made in one order everywhere, since two processes that make them wait for each other.
 */
export async function lease(tx: Tx, processId: string, subscriptionIds: readonly string[]): Promise<Set<string>> {
  const until = sql`${databaseNow(tx)} + ${leaseMillis}`
  const lock = storeOf(tx) === 'postgres' ? sql`for update skip locked` : sql``
  const known = await rowsOf<{ id: string }>(
    tx,
    sql`update webhook_leases set leased_by = ${processId}, leased_until = ${until}
where subscription_id in (select subscription_id from webhook_leases
where ${isAmong(tx, 'subscription_id', listed(tx, subscriptionIds))}
and (leased_by is null or leased_by = ${processId} or not (${isRunning(tx)})) ${lock})
returning subscription_id as id`,
  )
  const leased = new Set(known.map(({ id }) => id))
  const others = subscriptionIds.filter((id) => !leased.has(id))
  if (others.length === 0) return leased
  const firstTime = await rowsOf<{ id: string }>(
    tx,
    sql`insert into webhook_leases (subscription_id, tenant_id, leased_by, leased_until)
select s.id, s.tenant_id, ${processId}, ${until} from webhook_subscriptions as s
where ${isAmong(tx, 's.id', listed(tx, others))} order by s.id
on conflict (subscription_id) do nothing returning subscription_id as id`,
  )
  for (const { id } of firstTime) leased.add(id)
  return leased
}

/** Leaves what a process has leased to whoever comes next. */
export const endLeases = async (tx: Tx, processId: string): Promise<void> =>
  void (await rowsOf(
    tx,
    sql`update webhook_leases set leased_by = null, leased_until = 0 where leased_by = ${processId}`,
  ))

/** What to take for a subscription: so many, due by an instant of its tenant's clock, and none of those in hand. */
export interface Wanted {
  subscription_id: string
  room: number
  due: number
  held: readonly string[]
}

const takeOnPostgres = `select chosen.*
from json_to_recordset($1) as lane (subscription_id text, room integer, due bigint)
cross join lateral (
  select w.* from webhook_deliveries as w
  where w.subscription_id = lane.subscription_id and w.status = 'Pending' and w.next_attempt_at <= lane.due
    and w.id not in (select json_array_elements_text($2))
  order by w.next_attempt_at limit lane.room
) as chosen`

const takeOnSqlite = `select * from webhook_deliveries
where subscription_id = ? and status = 'Pending' and next_attempt_at <= ? and id not in (select value from json_each(?))
order by next_attempt_at limit ?`

/** Finds due deliveries of subscriptions that the process has leased, those longest due first. */
export async function findDue(read: Readable, wanted: readonly Wanted[]): Promise<DeliveryRow[]> {
  if (wanted.length === 0) return []
  const found: DeliveryRow[] = []
  if (storeOf(read) === 'postgres') {
    const lanes = wanted.map(({ held: _held, ...lane }) => lane)
    const held = wanted.flatMap((one) => one.held)
    found.push(...(await run<DeliveryRow>(read, takeOnPostgres, [JSON.stringify(lanes), JSON.stringify(held)])))
  } else
    for (const { subscription_id, due, held, room } of wanted)
      found.push(...(await run<DeliveryRow>(read, takeOnSqlite, [subscription_id, due, JSON.stringify(held), room])))
  return found.sort((one, other) => one.next_attempt_at! - other.next_attempt_at! || (one.id < other.id ? -1 : 1))
}

/** The events under these ids. */
export const findEvents = (read: Readable, ids: readonly string[]): Promise<EventRow[]> =>
  rowsOf<EventRow>(read, sql`select * from events where ${isAmong(read, 'id', listed(read, ids))}`)

/** How a delivery stands after an attempt. */
export type Standing = Pick<
  DeliveryRow,
  'id' | 'status' | 'attempts' | 'budget_started_at' | 'next_attempt_at' | 'ended_at'
>

const settings = ['status', 'attempts', 'budget_started_at', 'next_attempt_at', 'ended_at']
  .map((column) => `${column} = o.${column}`)
  .join(', ')

const recordOnPostgres = `update webhook_deliveries as d set ${settings}
from json_populate_recordset(null::webhook_deliveries, $1) as o
where d.id = o.id and d.status = 'Pending' and (o.status = 'Delivered' or d.attempts = o.attempts - 1) returning d.id`

const recordOnSqlite = `update webhook_deliveries set ${settings}
from (select value->>'id' as id, value->>'status' as status, value->>'attempts' as attempts,
  value->>'budget_started_at' as budget_started_at, value->>'next_attempt_at' as next_attempt_at,
  value->>'ended_at' as ended_at from json_each(?)) as o
where webhook_deliveries.id = o.id and +webhook_deliveries.status = 'Pending'
  and (o.status = 'Delivered' or webhook_deliveries.attempts = o.attempts - 1) returning id`

/**
 * Writes how deliveries stand, and answers which. Left as they are those that are over already, and those that fail but were
 * recorded before, were tried by another process meanwhile, or have a whole new budget.
 */
export async function recordStandings(tx: Tx, standings: readonly Standing[]): Promise<Set<string>> {
  const text = storeOf(tx) === 'postgres' ? recordOnPostgres : recordOnSqlite
  const rows = await run<{ id: string }>(tx, text, [JSON.stringify(standings)])
  return new Set(rows.map(({ id }) => id))
}

/** What attempts make of how a subscription fares: since when it failed anew, and how often. */
export interface Fare {
  id: string
  /** When the last of them was delivered; null when none was. */
  delivered_at: number | null
  /** How many failed, and were given up, since that. */
  failures: number
  dead_letters: number
}

const fares = `last_delivery_at = coalesce(o.delivered_at, last_delivery_at),
consecutive_failures = case when o.delivered_at is null then consecutive_failures else 0 end + o.failures,
dead_letters_in_row = case when o.delivered_at is null then dead_letters_in_row else 0 end + o.dead_letters`

const fareOnPostgres = `update webhook_standings as s set ${fares}
from json_to_recordset($1) as o (id text, delivered_at bigint, failures integer, dead_letters integer)
where s.subscription_id = o.id returning s.subscription_id as id, s.dead_letters_in_row`

const fareOnSqlite = `update webhook_standings set ${fares}
from (select value->>'id' as id, value->>'delivered_at' as delivered_at, value->>'failures' as failures,
  value->>'dead_letters' as dead_letters from json_each(?)) as o
where webhook_standings.subscription_id = o.id returning subscription_id as id, dead_letters_in_row`

/** Adds up how subscriptions fare; answers how many dead letters in a row each has. */
export const recordFares = (tx: Tx, given: readonly Fare[]): Promise<{ id: string; dead_letters_in_row: number }[]> =>
  run(tx, storeOf(tx) === 'postgres' ? fareOnPostgres : fareOnSqlite, [JSON.stringify(given)])
