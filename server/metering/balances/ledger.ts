import type { Tx } from '../../database/database.ts'
import { decimalText } from '../../kit/decimal.ts'
import { newId } from '../../kit/ids.ts'
import { insertStatements, runStatements, storeOf } from '../../kit/records/store.ts'
import type { Entry } from '../consumption/course.ts'

/** Enters movements of the tenant's balances in the ledger, in their order; answers the ids of the entries. */
export async function recordEntries(
  tx: Tx,
  tenantId: string,
  entries: readonly (Entry & { entitlementId: string })[],
): Promise<string[]> {
  const rows = entries.map((entry) => ({
    id: newId(),
    tenant_id: tenantId,
    entitlement_id: entry.entitlementId,
    meter_id: entry.meterId,
    kind: entry.kind,
    amount: decimalText(entry.amount),
    balance_after: decimalText(entry.balanceAfter),
    occurred_at: entry.occurredAt,
    reference: entry.reference,
    actor: entry.by.actor,
    correlation_id: entry.by.correlationId,
  }))
  await runStatements(tx, insertStatements(storeOf(tx), 'balance_entries', rows))
  return rows.map(({ id }) => id)
}
