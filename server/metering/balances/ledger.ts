import type { Tx } from '../../database/database.ts'
import { decimalText } from '../../kit/decimal.ts'
import { newId } from '../../kit/ids.ts'
import { insertStatements, runStatements, storeOf } from '../../kit/records/store.ts'
import type { Entry } from '../consumption/course.ts'

/** A movement of a balance of an entitlement, and who is behind it. */
export interface Recorded {
  entry: Entry
  entitlementId: string
  by: { actor: string; correlationId: string }
}

/** Enters movements of the tenant's balances in the ledger, in their order; answers the ids of their entries in the same order. */
export async function recordEntries(tx: Tx, tenantId: string, entries: readonly Recorded[]): Promise<string[]> {
  const rows = entries.map(({ entry, entitlementId, by }) => ({
    id: newId(),
    tenant_id: tenantId,
    entitlement_id: entitlementId,
    meter_id: entry.meterId,
    kind: entry.kind,
    amount: decimalText(entry.amount),
    balance_after: decimalText(entry.balanceAfter),
    occurred_at: entry.occurredAt,
    reference: entry.reference,
    actor: by.actor,
    correlation_id: by.correlationId,
  }))
  await runStatements(tx, insertStatements(storeOf(tx), 'balance_entries', rows))
  return rows.map(({ id }) => id)
}
