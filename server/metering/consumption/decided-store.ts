import type { Readable, Tx } from '../../database/database.ts'
import { compileOnce, type Statement } from '../../kit/compiled-query.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
import { insertStatements, storeOf } from '../../kit/records/store.ts'
import type { ConsumptionTables } from './tables.ts'

export type DecisionRow = ConsumptionTables['usage_decisions']
export type HoldRow = ConsumptionTables['usage_holds']

/** By what a decision is found again: keys that are counted up, or begin with the time, stand together in its index. */
export const lookupOf = (entitlementId: string, key: string): string => `${entitlementId} ${key}`

interface Values extends Record<string, unknown> {
  tenantId: string
  values: unknown
}

const decisions = compileOnce((read, { tenantId, values }: Values) =>
  read
    .selectFrom('usage_decisions')
    .select(['lookup', 'asked', 'answer'])
    .where(isTenants(read, tenantId))
    .where(isAmong(read, 'lookup', values)),
)

/** What was decided under these lookups. */
export const findDecisions = async (read: Readable, tenantId: string, lookups: readonly string[]) =>
  lookups.length === 0 ? [] : decisions(read, { tenantId, values: listed(read, lookups) })

/** What keeps decisions for ever. */
export const decisionStatements = (tx: Tx, rows: readonly DecisionRow[]): Statement[] =>
  insertStatements(storeOf(tx), 'usage_decisions', rows)

/** The holds under these ids, whatever became of them. */
export const findHolds = async (read: Readable, tenantId: string, ids: readonly string[]): Promise<HoldRow[]> =>
  ids.length === 0
    ? []
    : read
        .selectFrom('usage_holds')
        .selectAll()
        .where('tenant_id', '=', tenantId)
        .where('id', 'in', [...new Set(ids)])
        .execute()

/** What writes new holds, and how others ended. */
export function holdStatements(tx: Tx, rows: readonly HoldRow[]): Statement[] {
  const otherwise =
    'on conflict (id) do update set status = excluded.status, settled_amount = excluded.settled_amount, answer = excluded.answer'
  return insertStatements(storeOf(tx), 'usage_holds', rows, otherwise)
}
