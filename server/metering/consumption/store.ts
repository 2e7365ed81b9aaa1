import { type SqlBool, sql } from 'kysely'
import type { Readable, Tx } from '../../database/database.ts'
import { compileOnce, recurs, type Statement } from '../../kit/compiled-query.ts'
import { decimalText, readStored } from '../../kit/decimal.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
import { recordCaused } from '../../kit/outbox.ts'
import { insertStatements, runStatements, storeOf } from '../../kit/records/store.ts'
import { recordEntries } from '../balances/ledger.ts'
import type { TierMarks } from '../tiers/ruling.ts'
import { Course, type PastPeriod, type PeriodAsked } from './course.ts'
import { lookupOf } from './decided-store.ts'
import { definitionOf, knownDefinition, type MeterDefinition } from './definitions.ts'
import type { Meter } from './meter.ts'
import { changedColumns, fromRow, type StateColumn, type StateRow, stateColumns, toRow } from './state-row.ts'

interface Ids extends Record<string, unknown> {
  tenantId: string
  ids: unknown
}

const states = compileOnce((read, { tenantId, ids }: Ids) =>
  read
    .selectFrom('meter_states')
    .selectAll()
    .where(isTenants(read, tenantId))
    .where(isAmong(read, 'entitlement_id', ids))
    .where('is_closed', '=', no),
)

/** In one order everywhere, so that two transactions wait for each other and no more. */
const lockedStates = compileOnce((tx, { tenantId, ids }: Ids) =>
  tx
    .selectFrom('meter_states')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(isAmong(tx, 'entitlement_id', ids))
    .where('is_closed', '=', no)
    .orderBy('meter_id')
    .forNoKeyUpdate(),
)

const definitions = compileOnce((read, { tenantId, ids }: Ids) =>
  read
    .selectFrom('meters')
    .selectAll()
    .where(isTenants(read, tenantId))
    .where(isAmong(read, 'id', ids)),
)

/**
 * The meters of these entitlements, nobody else's to change until the transaction ends: a course for each, without meters
 * where there are none.
 */
export async function loadCourses(
  tx: Tx,
  tenantId: string,
  entitlementIds: readonly string[],
): Promise<Map<string, Course>> {
  const load = storeOf(tx) === 'postgres' ? lockedStates : states
  const rows = await load(tx, { tenantId, ids: listed(tx, entitlementIds) })
  return coursesOf(tx, tenantId, entitlementIds, rows)
}

/** The meters of these entitlements as they were written last; time may have changed them since (`settle`). */
export async function readCourses(
  read: Readable,
  tenantId: string,
  entitlementIds: readonly string[],
): Promise<Map<string, Course>> {
  const rows = await states(read, { tenantId, ids: listed(read, entitlementIds) })
  return coursesOf(read, tenantId, entitlementIds, rows)
}

/** Whether something of the entitlement's meters is due by `now` (milliseconds) and not done yet. */
export async function isOverdue(
  read: Readable,
  tenantId: string,
  entitlementId: string,
  now: number,
): Promise<boolean> {
  const row = await read
    .selectFrom('meter_states')
    .select('meter_id')
    .where('tenant_id', '=', tenantId)
    .where('entitlement_id', '=', entitlementId)
    .where('is_closed', '=', no)
    .where('due_at', '<=', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function coursesOf(
  read: Readable,
  tenantId: string,
  entitlementIds: readonly string[],
  rows: readonly StateRow[],
): Promise<Map<string, Course>> {
  const found = await definitionsOf(read, tenantId, rows)
  const meters = Map.groupBy(rows, (row) => row.entitlement_id)
  return new Map(
    entitlementIds.map((id) => [
      id,
      new Course(
        id,
        (meters.get(id) ?? []).map((row): Meter => ({ ...found.get(row.meter_id)!, state: fromRow(row) })),
      ),
    ]),
  )
}

/** What the meters of these rows are; those whose revision is known need no reading. */
async function definitionsOf(read: Readable, tenantId: string, rows: readonly StateRow[]) {
  const found = new Map<string, MeterDefinition>()
  const unknown: string[] = []
  for (const { meter_id, definition_revision } of rows) {
    const known = knownDefinition(meter_id, definition_revision)
    if (known) found.set(meter_id, known)
    else unknown.push(meter_id)
  }
  if (unknown.length > 0)
    for (const row of await definitions(read, { tenantId, ids: listed(read, unknown) }))
      found.set(row.id, definitionOf(read, row))
  return found
}

/** Puts into a course what was put aside of periods that are over and spoken of, and of those between them. */
export async function loadPast(
  tx: Tx,
  tenantId: string,
  course: Course,
  periods: readonly PeriodAsked[],
): Promise<void> {
  if (periods.length === 0) return
  const rows = await tx
    .selectFrom('usage_periods')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('meter_id', 'in', [...new Set(periods.map(({ meterId }) => meterId))])
    .where('period_start', '>=', Math.min(...periods.map(({ periodStart }) => periodStart)))
    .where('period_start', '<', Math.max(...periods.map(({ periodEnd }) => periodEnd)))
    .execute()
  for (const row of rows)
    course.knowPast({
      meterId: row.meter_id,
      periodStart: row.period_start,
      usage: readStored(row.usage),
      marks: JSON.parse(row.tier_marks) as TierMarks,
    })
}

/** Writes what came of courses: how the meters stand, the periods that are over, the ledger, the events; answers the ids of its entries. */
export async function writeCourses(tx: Tx, tenantId: string, courses: Iterable<Course>): Promise<string[]> {
  const all = [...courses]
  await runStatements(tx, stateStatements(tx, tenantId, all))
  return writeHistory(tx, tenantId, all)
}

/** The same without how the meters stand. */
export async function writeHistory(tx: Tx, tenantId: string, courses: readonly Course[]): Promise<string[]> {
  await writePast(
    tx,
    tenantId,
    courses.flatMap((course) => course.changedPast()),
  )
  const entryIds = await recordEntries(
    tx,
    tenantId,
    courses.flatMap(({ entitlementId, entries }) => entries.map((entry) => ({ ...entry, entitlementId }))),
  )
  await recordCaused(
    tx,
    courses.flatMap(({ happenings }) =>
      happenings.map(({ by, happening }) => ({ cause: { tx, tenantId, ...by }, happening })),
    ),
  )
  return entryIds
}

/** What writes how meters stand that have changed, and when time changes them next: a statement for those of which the same has changed. */
export function stateStatements(tx: Tx, tenantId: string, courses: readonly Course[]): Statement[] {
  const inOrder = courses.flatMap((course) => course.changed()).toSorted((a, b) => (a.meter.id < b.meter.id ? -1 : 1))
  const byColumns = Map.groupBy(inOrder, (change) => changedColumns(change).join())
  return [...byColumns].map(([names, some]) => {
    const columns = names.split(',') as StateColumn[]
    const rows = JSON.stringify(
      some.map(({ meter }) => toRow(meter)),
      ['meter_id', ...columns],
    )
    const ids = storeOf(tx) === 'postgres' ? [some.map(({ meter }) => meter.id)] : []
    return { text: recurs(updateText(tx, columns)), parameters: [rows, tenantId, ...ids] }
  })
}

/** PostgreSQL is given the ids beside the rows, which it takes for a hundred and would go through a small table for. */
function updateText(tx: Tx, columns: readonly StateColumn[]): string {
  if (storeOf(tx) === 'postgres')
    return `update meter_states as s set ${columns.map((name) => `${name} = r.${name}`).join(', ')}
from json_to_recordset($1::json) as r (meter_id text, ${columns.map((name) => `${name} ${stateColumns[name]}`).join(', ')})
where s.meter_id = any($3::text[]) and s.meter_id = r.meter_id and s.tenant_id = $2`
  return `update meter_states set ${columns.map((name) => `${name} = r.value ->> '${name}'`).join(', ')}
from json_each(?) as r where meter_states.meter_id = r.value ->> 'meter_id' and +tenant_id = ?`
}

async function writePast(tx: Tx, tenantId: string, periods: readonly PastPeriod[]): Promise<void> {
  const rows = periods.map(({ meterId, periodStart, usage, marks }) => ({
    meter_id: meterId,
    period_start: periodStart,
    tenant_id: tenantId,
    usage: decimalText(usage),
    tier_marks: JSON.stringify(marks),
  }))
  const otherwise = `on conflict (meter_id, period_start) do update set usage = excluded.usage, tier_marks = excluded.tier_marks`
  await runStatements(tx, insertStatements(storeOf(tx), 'usage_periods', rows, otherwise))
}

/**
 * Forgets what was decided for these sessions of an entitlement: the second of what is kept as asked names the session. The
 * entitlement's are told by two bounds, for PostgreSQL before 15 finds no beginning of a text by an index.
 */
export async function deleteDecisions(
  tx: Tx,
  tenantId: string,
  entitlementId: string,
  sessionIds: readonly string[],
): Promise<void> {
  const ids = listed(tx, sessionIds)
  const isOfSessions =
    storeOf(tx) === 'postgres'
      ? sql<SqlBool>`asked::json ->> 1 = any(${ids}::text[])`
      : sql<SqlBool>`asked ->> 1 in (select value from json_each(${ids}))`
  await tx
    .deleteFrom('usage_decisions')
    .where(isTenants(tx, tenantId))
    .where('lookup', '>=', lookupOf(entitlementId, ''))
    .where('lookup', '<', `${entitlementId}!`)
    .where(isOfSessions)
    .execute()
}
