import type { Readable, Tx } from '../../database/database.ts'
import { decimalText } from '../../kit/decimal.ts'
import { newId } from '../../kit/ids.ts'
import { insertStatements, runStatements, storeOf } from '../../kit/records/store.ts'
import type { Entry, EntryKind } from '../consumption/course.ts'

/** Enters movements of the tenant's balances in the ledger, in their order. */
export async function recordEntries(
  tx: Tx,
  tenantId: string,
  entries: readonly (Entry & { entitlementId: string })[],
): Promise<void> {
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
}

/** The id of the last entry of a kind that a request made in the ledger of a balance; null when it made none. */
export async function findEntryId(
  read: Readable,
  tenantId: string,
  { meterId, kind, correlationId }: { meterId: string; kind: EntryKind; correlationId: string },
): Promise<string | null> {
  const row = await read
    .selectFrom('balance_entries')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('meter_id', '=', meterId)
    .where('kind', '=', kind)
    .where('correlation_id', '=', correlationId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
