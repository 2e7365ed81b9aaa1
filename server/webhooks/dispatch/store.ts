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

const isActive = sql`s.is_deleted = 0 and s.status = 'Active'`
const waitingOf = (subscription: RawBuilder<unknown>, due: RawBuilder<unknown>) =>
  sql`exists (select 1 from webhook_deliveries as d where d.subscription_id = ${subscription}
and d.status = 'Pending' and d.claimed_by is null and d.next_attempt_at <= ${due})`

/** Whether there is anything to do: events that nobody was handed, deliveries that are due, processes that are gone. */
export async function isAnythingDue(read: Readable, realNow: number): Promise<boolean> {
  const [row] = await rowsOf<{ found: number | boolean }>(
    read,
    sql`select exists (select 1 from events where dispatched_at is null)
or exists (select 1 from webhook_processes where alive_until < ${databaseNow(read)})
or exists (select 1 from webhook_subscriptions as s join tenants as t on t.id = s.tenant_id
where ${isActive} and ${waitingOf(sql`s.id`, sql`t.clock_offset + ${realNow}`)}) as found`,
  )
  return Boolean(row!.found)
}

/** Whether something of a tenant is still to be done that is due by now, or is in hand. */
export async function isAnythingDueOf(read: Readable, tenantId: string, now: number): Promise<boolean> {
  const [row] = await rowsOf<{ found: number | boolean }>(
    read,
    sql`select exists (select 1 from events where dispatched_at is null and tenant_id = ${tenantId})
or exists (select 1 from webhook_deliveries where claimed_by is not null and tenant_id = ${tenantId})
or exists (select 1 from webhook_subscriptions as s
where s.tenant_id = ${tenantId} and ${isActive} and ${waitingOf(sql`s.id`, sql`${now}`)}) as found`,
  )
  return Boolean(row!.found)
}

/** The active subscriptions for which deliveries are due by now, each on its tenant's clock. */
export const listDueSubscriptions = (read: Readable, realNow: number): Promise<DueSubscription[]> =>
  rowsOf<DueSubscription>(
    read,
    sql`select s.*, t.slug, t.kind, t.clock_offset from webhook_subscriptions as s join tenants as t on t.id = s.tenant_id
where ${isActive} and ${waitingOf(sql`s.id`, sql`t.clock_offset + ${realNow}`)}`,
  )

/** Of these subscriptions those that are active, as they stand. */
export const listActiveSubscriptions = (read: Readable, ids: readonly string[]): Promise<DueSubscription[]> =>
  rowsOf<DueSubscription>(
    read,
    sql`select s.*, t.slug, t.kind, t.clock_offset from webhook_subscriptions as s join tenants as t on t.id = s.tenant_id
where ${isActive} and ${isAmong(read, 's.id', listed(read, ids))}`,
  )

/** Events that nobody was handed, the oldest first; another process that hands some out has those to itself. */
export async function takeEvents(tx: Tx, most: number): Promise<EventRow[]> {
  const lock = storeOf(tx) === 'postgres' ? 'for update skip locked' : ''
  return run<EventRow>(tx, `select * from events where dispatched_at is null order by id limit ${most} ${lock}`, [])
}

/** The active subscriptions of these tenants, which stay as they are until the transaction ends. */
export async function holdSubscriptions(tx: Tx, tenantIds: readonly string[]): Promise<SubscriptionRow[]> {
  const lock = storeOf(tx) === 'postgres' ? sql`order by s.id for share` : sql``
  return rowsOf<SubscriptionRow>(
    tx,
    sql`select s.* from webhook_subscriptions as s
where ${isActive} and ${isAmong(tx, 's.tenant_id', listed(tx, tenantIds))} ${lock}`,
  )
}

/** Leaves word that events were handed out, each on its tenant's clock. */
export async function markDispatched(tx: Tx, ids: readonly string[], realNow: number): Promise<void> {
  await rowsOf(
    tx,
    sql`update events set dispatched_at = ${realNow} + (select clock_offset from tenants where id = events.tenant_id)
where ${isAmong(tx, 'id', listed(tx, ids))}`,
  )
}

/** What a process may take for a subscription: so many, due by an instant of its tenant's clock. */
export interface Wanted {
  subscription_id: string
  room: number
  due: number
}

const claimOnPostgres = `update webhook_deliveries as d set claimed_by = $1
from json_to_recordset($2) as lane (subscription_id text, room integer, due bigint)
cross join lateral (
  select w.id from webhook_deliveries as w
  where w.subscription_id = lane.subscription_id and w.status = 'Pending' and w.claimed_by is null
    and w.next_attempt_at <= lane.due
  order by w.next_attempt_at limit lane.room for update skip locked
) as chosen where d.id = chosen.id returning d.*`

const claimOnSqlite = `update webhook_deliveries set claimed_by = ? where id in (
  select id from webhook_deliveries
  where subscription_id = ? and status = 'Pending' and claimed_by is null and next_attempt_at <= ?
  order by next_attempt_at limit ?
) returning *`

/** Takes due deliveries in hand for a process, those longest due first. */
export async function claim(tx: Tx, processId: string, wanted: readonly Wanted[]): Promise<DeliveryRow[]> {
  if (wanted.length === 0) return []
  const claimed: DeliveryRow[] = []
  if (storeOf(tx) === 'postgres')
    claimed.push(...(await run<DeliveryRow>(tx, claimOnPostgres, [processId, JSON.stringify(wanted)])))
  else
    for (const { subscription_id, due, room } of wanted)
      claimed.push(...(await run<DeliveryRow>(tx, claimOnSqlite, [processId, subscription_id, due, room])))
  return claimed.sort((one, other) => one.next_attempt_at! - other.next_attempt_at! || (one.id < other.id ? -1 : 1))
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

const recordOnPostgres = `update webhook_deliveries as d set ${settings}, claimed_by = null
from json_populate_recordset(null::webhook_deliveries, $1) as o where d.id = o.id and d.claimed_by = $2`

const recordOnSqlite = `update webhook_deliveries set ${settings}, claimed_by = null
from (select value->>'id' as id, value->>'status' as status, value->>'attempts' as attempts,
  value->>'budget_started_at' as budget_started_at, value->>'next_attempt_at' as next_attempt_at,
  value->>'ended_at' as ended_at from json_each(?)) as o
where webhook_deliveries.id = o.id and +claimed_by = ?`

/** Writes how deliveries stand, and lets go of them; those that this process has in hand no more are left as they are. */
export async function recordStandings(tx: Tx, processId: string, standings: readonly Standing[]): Promise<void> {
  const text = storeOf(tx) === 'postgres' ? recordOnPostgres : recordOnSqlite
  await run(tx, text, [JSON.stringify(standings), processId])
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

/** Says that this process is alive for so long; answers false when it was thought gone meanwhile, and what it had was left to others. */
export async function sayAlive(tx: Tx, processId: string, millis: number): Promise<boolean> {
  const rows = await rowsOf<{ id: string }>(
    tx,
    sql`update webhook_processes set alive_until = ${databaseNow(tx)} + ${millis} where id = ${processId} returning id`,
  )
  if (rows.length > 0) return true
  await rowsOf(
    tx,
    sql`insert into webhook_processes (id, alive_until) values (${processId}, ${databaseNow(tx)} + ${millis})`,
  )
  return false
}

/** Leaves to others what processes had in hand that are gone; the one that asks is not, if it says who it is. */
export async function releaseOfTheGone(tx: Tx, processId: string): Promise<void> {
  const gone = await rowsOf<{ id: string }>(
    tx,
    sql`delete from webhook_processes where alive_until < ${databaseNow(tx)} and id <> ${processId} returning id`,
  )
  for (const { id } of gone) await release(tx, id)
}

/** Leaves to others what a process has in hand, or these deliveries of it. */
export async function release(tx: Tx, processId: string, ids?: readonly string[]): Promise<void> {
  const which = ids ? sql`and ${isAmong(tx, 'id', listed(tx, ids))}` : sql``
  await rowsOf(tx, sql`update webhook_deliveries set claimed_by = null where claimed_by = ${processId} ${which}`)
}

/** The same but for these deliveries: what it took without knowing. */
export async function releaseAllBut(tx: Tx, processId: string, ids: readonly string[]): Promise<void> {
  await rowsOf(
    tx,
    sql`update webhook_deliveries set claimed_by = null
where claimed_by = ${processId} and not (${isAmong(tx, 'id', listed(tx, ids))})`,
  )
}

/** Says that a process has nothing in hand and is leaving. */
export const sayGone = async (tx: Tx, processId: string): Promise<void> =>
  void (await rowsOf(tx, sql`delete from webhook_processes where id = ${processId}`))
