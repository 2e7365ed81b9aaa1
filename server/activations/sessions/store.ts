import { type Compilable, CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Readable, Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { compileOnce, recurs, runInOrder } from '../../kit/compiled-query.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
import { insertStatements, storeOf } from '../../kit/records/store.ts'
import type { Components } from './component-matching.ts'
import type { SessionRow } from './licensed.ts'

interface Ids extends Record<string, unknown> {
  tenantId: string
  ids: unknown
}

const byIds = compileOnce((read, { tenantId, ids }: Ids) =>
  read
    .selectFrom('license_sessions')
    .selectAll()
    .where(isTenants(read, tenantId))
    .where(isAmong(read, 'id', ids)),
)

/** The tenant's sessions under these ids. */
export const sessionsById = async (read: Readable, tenantId: string, ids: readonly string[]): Promise<SessionRow[]> =>
  ids.length === 0 ? [] : byIds(read, { tenantId, ids: listed(read, ids) })

const countBlocked = (isIt: RawBuilder<unknown>) => sql`(select count(*) from blocked_devices as b
where b.tenant_id = s.tenant_id and b.entitlement_id = s.entitlement_id and ${isIt})`

/** How many of the fingerprints of a session, `s`, are blocked on its entitlement. */
function blocksOf(read: Readable): RawBuilder<number> {
  const former =
    storeOf(read) === 'postgres'
      ? sql`select json_array_elements_text(s.former_fingerprints::json)`
      : sql`select value from json_each(s.former_fingerprints)`
  return sql<number>`${countBlocked(sql`b.fingerprint = s.fingerprint`)}
+ case when s.former_fingerprints is null then 0 else ${countBlocked(sql`b.fingerprint in (${former})`)} end`
}

const lockByIds = compileOnce((tx, { tenantId, ids }: Ids) =>
  tx
    .selectFrom('license_sessions')
    .select('id')
    .where(isTenants(tx, tenantId))
    .where(isAmong(tx, 'id', ids))
    .orderBy('id')
    .forNoKeyUpdate(),
)

/** PostgreSQL: nobody else changes the tenant's sessions under these ids until the transaction ends. */
export async function lockSessions(tx: Tx, tenantId: string, ids: readonly string[]): Promise<void> {
  if (storeOf(tx) === 'postgres') await lockByIds(tx, { tenantId, ids: listed(tx, ids) })
}

const endColumns = ['id', 'entitlement_id', 'revoked_at', 'released_at'] as const
const seatColumns = ['is_seated', 'last_access_at', 'grace_expires_at'] as const

const ends = (read: Readable, { tenantId, ids }: Ids) =>
  read
    .selectFrom('license_sessions as s')
    .select([...endColumns, ...seatColumns, blocksOf(read).as('blocked')])
    .where(isTenants(read, tenantId))
    .where(isAmong(read, 'id', ids))

const endsByIds = compileOnce(ends)
const lockedEndsByIds = compileOnce((tx, asked: Ids) => ends(tx, asked).orderBy('id').forKeyShare())

/** What may have ended a session, and what its seat depends on; `blocked` is above 0 when its device is. */
export type SessionEnd = Pick<SessionRow, (typeof endColumns | typeof seatColumns)[number]> & { blocked: number }

/** What may have ended the tenant's sessions under these ids. */
export const sessionEnds = (read: Readable, tenantId: string, ids: readonly string[]): Promise<SessionEnd[]> =>
  endsByIds(read, { tenantId, ids: listed(read, ids) })

/** The same of sessions that nobody erases until the transaction ends. */
export const lockSessionEnds = (tx: Tx, tenantId: string, ids: readonly string[]): Promise<SessionEnd[]> =>
  (storeOf(tx) === 'postgres' ? lockedEndsByIds : endsByIds)(tx, { tenantId, ids: listed(tx, ids) })

/** Of so many components, each is not looked for in every text: to read them all is as quick then. */
const mostLookedFor = 64

/** What a device sends of its components, and how many of them must be those of a device for it to be the same. */
export interface ComponentsSought {
  sent: Components
  needed: number
}

/** The tenant's open sessions within one holder; not all that are of none of these devices need be among them. */
export const openSessionsAlike = (
  read: Readable,
  tenantId: string,
  holder: string,
  sought: readonly ComponentsSought[],
): Promise<SessionRow[]> =>
  alike(read, tenantId, holder, sought).where('released_at', 'is', null).where('revoked_at', 'is', null).execute()

/** The same of the trials within one holder, over or not. */
export const trialsAlike = (
  read: Readable,
  tenantId: string,
  holder: string,
  sought: readonly ComponentsSought[],
): Promise<SessionRow[]> =>
  // Written out, as the index of trials has it.
  alike(read, tenantId, holder, sought).where('is_trial', '=', sql.lit(1)).execute()

function alike(read: Readable, tenantId: string, holder: string, sought: readonly ComponentsSought[]) {
  const isLookedFor = sought.reduce((sum, { sent }) => sum + Object.keys(sent).length, 0) <= mostLookedFor
  return read
    .selectFrom('license_sessions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('holder', '=', holder)
    .$if(isLookedFor, (query) => query.where(({ or }) => or(sought.map((one) => hasEnough(read, one)))))
}

/** Whether a session has enough components, as they stand in its JSON: no text within a value looks like one. */
function hasEnough(read: Readable, { sent, needed }: ComponentsSought): RawBuilder<boolean> {
  const has = (written: string) =>
    storeOf(read) === 'postgres'
      ? sql`(strpos(components, ${written}) > 0)::int`
      : sql`(instr(components, ${written}) > 0)`
  const found = Object.entries(sent).map(([name, hash]) => has(`${JSON.stringify(name)}:${JSON.stringify(hash)}`))
  return sql`${sql.join(found, sql` + `)} >= ${sql.lit(needed)}`
}

/** A device within what it is looked for: a session's holder, or an entitlement. */
export type Pair = readonly [within: string, fingerprint: string]

const rawQuery = <Row>(read: Readable, query: RawBuilder<Row>): Compilable<Row> => ({
  compile: () => query.compile(read) as CompiledQuery<Row>,
})

interface Pairs extends Record<string, unknown> {
  tenantId: string
  pairs: unknown
}

/**
 * The rows, `found`, of a table of the tenant's that `isIt` is true of, for each pair, `asked`: gone through one by one and
 * looked up by an index. PostgreSQL would put a join in its place, as if the table were as small as when it was looked at last.
 */
const forEach = (read: Readable, { tenantId, pairs }: Pairs, table: string, isIt: RawBuilder<unknown>) => {
  const from = sql`${sql.table(table)} as found where found.tenant_id = ${tenantId} and ${isIt}`
  return storeOf(read) === 'postgres'
    ? sql`(select pair ->> 0 as within, pair ->> 1 as fingerprint from json_array_elements(${pairs}::json) as pair) as asked
cross join lateral (select * from ${from} offset 0) as found`
    : sql`(select value ->> 0 as within, value ->> 1 as fingerprint from json_each(${pairs})) as asked cross join ${from}`
}

const isDevice = sql`found.holder = asked.within and found.fingerprint = asked.fingerprint`

const openByDevice = compileOnce((read, pairs: Pairs) =>
  rawQuery(
    read,
    sql<SessionRow>`select found.* from ${forEach(read, pairs, 'license_sessions', sql`${isDevice} and found.released_at is null and found.revoked_at is null`)}`,
  ),
)

/** The open sessions of these devices. */
export const openSessionsOfDevices = async (
  read: Readable,
  tenantId: string,
  pairs: readonly Pair[],
): Promise<SessionRow[]> => (pairs.length === 0 ? [] : openByDevice(read, { tenantId, pairs: JSON.stringify(pairs) }))

const byFormerDevice = compileOnce((read, pairs: Pairs) => {
  const contains = storeOf(read) === 'postgres' ? sql`strpos` : sql`instr`
  const wasDevice = sql`found.holder = asked.within and found.former_fingerprints is not null and ${contains}(found.former_fingerprints, asked.fingerprint) > 0`
  return rawQuery(read, sql<SessionRow>`select found.* from ${forEach(read, pairs, 'license_sessions', wasDevice)}`)
})

/** The sessions, open or ended, that were activated with these fingerprints before they had others. */
export const sessionsOfFormerDevices = async (
  read: Readable,
  tenantId: string,
  pairs: readonly Pair[],
): Promise<SessionRow[]> => {
  // As they are written in the JSON that holds them.
  const written = pairs.map(([within, fingerprint]) => [within, JSON.stringify(fingerprint)])
  return pairs.length === 0 ? [] : byFormerDevice(read, { tenantId, pairs: JSON.stringify(written) })
}

const trialsByDevice = compileOnce((read, pairs: Pairs) =>
  rawQuery(
    read,
    sql<SessionRow>`select found.* from ${forEach(read, pairs, 'license_sessions', sql`${isDevice} and found.is_trial = 1`)}
order by found.activated_at`,
  ),
)

/** The trials that these devices have had, over or not, the first one first. */
export const trialsOfDevices = async (
  read: Readable,
  tenantId: string,
  pairs: readonly Pair[],
): Promise<SessionRow[]> => (pairs.length === 0 ? [] : trialsByDevice(read, { tenantId, pairs: JSON.stringify(pairs) }))

const blockedByDevice = compileOnce((read, pairs: Pairs) =>
  rawQuery(
    read,
    sql<
      Tables['blocked_devices']
    >`select found.* from ${forEach(read, pairs, 'blocked_devices', sql`found.entitlement_id = asked.within and found.fingerprint = asked.fingerprint`)}`,
  ),
)

/** Those of these devices that are blocked on their entitlement. */
export const blockedDevices = async (read: Readable, tenantId: string, pairs: readonly Pair[]) =>
  pairs.length === 0 ? [] : blockedByDevice(read, { tenantId, pairs: JSON.stringify(pairs) })

interface BlockedAlike {
  entitlement_id: string
  fingerprint: string
  /** The session that it was blocked with; empty where that is not known. */
  id: string
  holder: string
  components: string | null
}

/** Every device that is blocked on these entitlements, with the session that it was blocked with. */
export const blockedAlikeOn = async (
  read: Readable,
  tenantId: string,
  entitlementIds: readonly string[],
): Promise<BlockedAlike[]> =>
  entitlementIds.length === 0 ? [] : blockedOn(read, { tenantId, ids: listed(read, entitlementIds) })

const blockedOn = compileOnce((read, { tenantId, ids }: Ids) =>
  read
    .selectFrom('blocked_devices as b')
    .leftJoin('license_sessions as s', 's.id', 'b.session_id')
    .select([
      'b.entitlement_id',
      'b.fingerprint',
      's.components',
      sql<string>`coalesce(s.id, '')`.as('id'),
      sql<string>`coalesce(s.holder, '')`.as('holder'),
    ])
    .where('b.tenant_id', '=', tenantId)
    .where(isAmong(read, 'b.entitlement_id', ids)),
)

/** What an operation can change of a session. */
const changeable = {
  last_access_at: 'bigint',
  is_seated: 'integer',
  seat_until: 'bigint',
  released_at: 'bigint',
  lease_expires_at: 'bigint',
  grace_expires_at: 'bigint',
  lease_time: 'text',
  fingerprint: 'text',
  former_fingerprints: 'text',
  components: 'text',
  application_info: 'text',
  application_scope: 'text',
  product_code: 'text',
  device_name: 'text',
  user_id: 'text',
  email: 'text',
  is_offline: 'integer',
  is_trial: 'integer',
  trial_expires_at: 'bigint',
  not_before: 'bigint',
  not_after: 'bigint',
  plan_set_id: 'text',
  plan_name: 'text',
  product_ids: 'text',
} as const
type Changeable = keyof typeof changeable
const allChangeable = Object.keys(changeable) as Changeable[]

export interface SessionChange {
  row: SessionRow
  before: SessionRow
}

/** Adds sessions; throws the database's refusal of a second open one of a device. */
export const insertSessions = (tx: Tx, rows: readonly SessionRow[]): Promise<void> =>
  runInOrder(tx, insertStatements(storeOf(tx), 'license_sessions', rows))

/**
 * Writes what has changed of sessions that were open, and no more, since another process may have changed the rest; answers
 * false when one of them is no longer as it was read: released, revoked, or its seat lapsed meanwhile.
 */
export async function updateSessions(tx: Tx, tenantId: string, changes: readonly SessionChange[]): Promise<boolean> {
  const alike = Map.groupBy(changes, ({ row, before }) =>
    allChangeable.filter((column) => row[column] !== before[column]).join(),
  )
  const ids = changes.map(({ row }) => row.id)
  // Each group of them is changed in the order of its ids, but not all together.
  if (alike.size > 1) await lockSessions(tx, tenantId, ids)
  for (const [columns, some] of alike)
    if (columns !== '' && !(await update(tx, tenantId, columns.split(',') as Changeable[], some))) return false
  return true
}

async function update(tx: Tx, tenantId: string, columns: readonly Changeable[], changes: readonly SessionChange[]) {
  // In one order everywhere, so that two transactions that change the same sessions wait for each other and no more.
  const inOrder = changes.toSorted((a, b) => (a.row.id < b.row.id ? -1 : 1))
  const was = (before: SessionRow) => ({
    was_seated: before.is_seated,
    was_fingerprint: before.fingerprint,
    was_former: before.former_fingerprints,
  })
  const rows = inOrder.map(({ row, before }) => ({ ...row, ...was(before) }))
  const text = JSON.stringify(rows, [
    'id',
    'was_seated',
    ...(writesDevice(columns) ? ['was_fingerprint', 'was_former'] : []),
    ...columns,
  ])
  const ids = storeOf(tx) === 'postgres' ? [inOrder.map(({ row }) => row.id)] : []
  const parameters = [text, tenantId, ...ids]
  const { rows: written } = await tx.executeQuery(CompiledQuery.raw(recurs(updateText(tx, columns)), parameters))
  return written.length === changes.length
}

/** Whether fingerprints are written; those before are remembered, so they must be the ones that were read. */
const writesDevice = (columns: readonly Changeable[]) =>
  columns.includes('fingerprint') || columns.includes('former_fingerprints')

/**
 * On SQLite the tenant is asked after each row is found by its id: an index that begins with the tenant would be gone through for
 * each. PostgreSQL is given the ids beside the rows, which it takes for a hundred and would go through a small table for.
 */
function updateText(tx: Tx, columns: readonly Changeable[]) {
  const isOpen = 'released_at is null and revoked_at is null'
  if (storeOf(tx) === 'postgres')
    return `update license_sessions as s set ${columns.map((name) => `${name} = r.${name}`).join(', ')}
from json_to_recordset($1::json) as r (id text, was_seated integer, ${writesDevice(columns) ? 'was_fingerprint text, was_former text, ' : ''}${columns.map((name) => `${name} ${changeable[name]}`).join(', ')})
where s.id = any($3::text[]) and s.id = r.id and s.tenant_id = $2 and s.${isOpen.replace('and ', 'and s.')} and s.is_seated = r.was_seated
${writesDevice(columns) ? 'and s.fingerprint = r.was_fingerprint and s.former_fingerprints is not distinct from r.was_former ' : ''}returning s.id`
  return `update license_sessions set ${columns.map((name) => `${name} = r.value ->> '${name}'`).join(', ')}
from json_each(?) as r where license_sessions.id = r.value ->> 'id' and +tenant_id = ? and ${isOpen} and is_seated = r.value ->> 'was_seated'
returning id`
}
