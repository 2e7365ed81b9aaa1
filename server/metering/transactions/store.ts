import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Readable, Tx } from '../../database/database.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
import { insertStatements, runStatements, storeOf } from '../../kit/records/store.ts'
import { identityOf, type Placed, type Rejected } from './counting.ts'
import type { TransactionTables } from './tables.ts'

/** The identities of those of these records that were taken before. */
export async function findKnown(tx: Tx, tenantId: string, records: readonly Placed[]): Promise<Set<string>> {
  if (records.length === 0) return new Set()
  const asked = JSON.stringify(records.map(({ scopeId, transactionId }) => [scopeId, transactionId]))
  const { rows } = await sql<{ scope_id: string; transaction_id: number }>`select t.scope_id, t.transaction_id
from ${pairs(tx, asked)} cross join usage_transactions as t
where t.scope_id = asked.scope_id and t.transaction_id = asked.transaction_id and t.tenant_id = ${tenantId}`.execute(tx)
  return new Set(rows.map((row) => identityOf({ scopeId: row.scope_id, transactionId: row.transaction_id })))
}

/** Pairs as rows, which the store goes through one by one, each looked up by the primary key. */
const pairs = (read: Readable, asked: string): RawBuilder<unknown> =>
  storeOf(read) === 'postgres'
    ? sql`(select pair ->> 0 as scope_id, (pair ->> 1)::bigint as transaction_id
from json_array_elements(${asked}::json) as pair) as asked`
    : sql`(select value ->> 0 as scope_id, value ->> 1 as transaction_id from json_each(${asked})) as asked`

/** Keeps records; answers how many of them nobody else has kept meanwhile. */
export async function insertTransactions(
  tx: Tx,
  rows: readonly TransactionTables['usage_transactions'][],
): Promise<number> {
  let kept = 0n
  const otherwise = 'on conflict (scope_id, transaction_id) do nothing'
  for (const { text, parameters } of insertStatements(storeOf(tx), 'usage_transactions', rows, otherwise))
    kept += (await tx.executeQuery(CompiledQuery.raw(text, [...parameters]))).numAffectedRows ?? 0n
  return Number(kept)
}

/** Remembers which ids were rejected, so that the highest is not asked for again. */
export async function recordRejected(tx: Tx, tenantId: string, rejected: readonly Rejected[]): Promise<void> {
  const highest = new Map<string, number>()
  for (const { scopeId, transactionId } of rejected)
    if (transactionId !== null) highest.set(scopeId, Math.max(transactionId, highest.get(scopeId) ?? transactionId))
  const rows = [...highest].map(([scopeId, id]) => ({ scope_id: scopeId, tenant_id: tenantId, highest: id }))
  // In one order everywhere, so that two transactions wait for each other and no more.
  const inOrder = rows.toSorted((a, b) => (a.scope_id < b.scope_id ? -1 : 1))
  const otherwise =
    'on conflict (scope_id) do update set highest = excluded.highest where excluded.highest > usage_rejections.highest'
  await runStatements(tx, insertStatements(storeOf(tx), 'usage_rejections', inOrder, otherwise))
}

/** The highest id that was taken or rejected in any of these scopes; null before the first. */
export async function findHighest(tx: Tx, tenantId: string, scopeIds: readonly string[]): Promise<number | null> {
  const ids = listed(tx, scopeIds)
  const scopes = storeOf(tx) === 'postgres' ? sql`unnest(${ids}::text[]) as s (value)` : sql`json_each(${ids}) as s`
  const { rows } = await sql<{ highest: number | null }>`select max(highest) as highest from (
select (select transaction_id from usage_transactions where scope_id = s.value and ${isTenants(tx, tenantId)}
order by transaction_id desc limit 1) as highest from ${scopes}
union all select highest from usage_rejections where ${isAmong(tx, 'scope_id', ids)} and ${isTenants(tx, tenantId)}) as ids`.execute(
    tx,
  )
  return rows[0]?.highest ?? null
}

/** When (milliseconds) features were last used, by code, as the newest FeatureUsed records of a scope tell; at most `newest` of them. */
export async function listFeatureUses(
  read: Readable,
  tenantId: string,
  scopeId: string,
  newest: number,
): Promise<{ code: string; last_used_at: number }[]> {
  const data = storeOf(read) === 'postgres' ? sql`event_data::json` : sql`event_data`
  // The name of the event is a literal, since the index is of those events alone.
  const { rows } = await sql<{
    code: string
    last_used_at: number
  }>`select code, max(occurred_at) as last_used_at from (
select ${data} ->> 'featureCode' as code, occurred_at from usage_transactions
where tenant_id = ${tenantId} and scope_id = ${scopeId} and event_name = 'FeatureUsed' and occurred_at is not null
order by occurred_at desc limit ${newest}) as uses group by code`.execute(read)
  return rows
}
