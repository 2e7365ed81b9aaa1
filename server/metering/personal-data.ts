import type { PersonalData } from '../access/users/person.ts'
import type { Readable, Tx } from '../database/database.ts'
import { toInstant, toNullableInstant } from '../kit/instants.ts'
import { isAmong, isTenants, listed } from '../kit/listed-values.ts'
import { deleteDecisions } from './consumption/store.ts'

/** What license sessions uploaded. */
export async function dataOfSessions(
  read: Readable,
  tenantId: string,
  sessionIds: readonly string[],
): Promise<PersonalData<'usageTransactions'>> {
  const rows = await read
    .selectFrom('usage_transactions')
    .selectAll()
    .where(isTenants(read, tenantId))
    .where(isAmong(read, 'scope_id', listed(read, sessionIds)))
    .orderBy('scope_id')
    .orderBy('transaction_id')
    .execute()
  return {
    usageTransactions: rows.map((row) => ({
      transactionId: row.transaction_id,
      sessionId: row.session_id,
      apiVersion: row.api_version,
      creationDateTime: toNullableInstant(row.created_at),
      eventName: row.event_name,
      eventData: JSON.parse(row.event_data) as unknown,
      receivedAt: toInstant(row.received_at),
    })),
  }
}

/**
 * Takes from what license sessions of these entitlements uploaded whatever their applications noted beside what counts: a
 * `FeatureUsed` keeps its feature and time, `UsageReported` its meter and amount alone, any other event not even its name.
 * Forgets the keys under which they had usage decided, which an application may have made of anything. No total changes.
 */
export async function eraseSessions(
  tx: Tx,
  tenantId: string,
  { sessionIds, entitlementIds }: { sessionIds: readonly string[]; entitlementIds: readonly string[] },
): Promise<void> {
  for (const entitlementId of entitlementIds) await deleteDecisions(tx, tenantId, entitlementId, sessionIds)
  const ofSessions = isAmong(tx, 'scope_id', listed(tx, sessionIds))
  const records = tx.updateTable('usage_transactions').where(isTenants(tx, tenantId))
  await records.set({ event_data: '{}' }).where(ofSessions).where('event_name', '=', 'UsageReported').execute()
  await records
    .set({ event_data: '{}', event_name: 'Erased' })
    .where(ofSessions)
    .where('event_name', 'not in', ['FeatureUsed', 'UsageReported'])
    .execute()
  const used = await tx
    .selectFrom('usage_transactions')
    .select('event_data')
    .distinct()
    .where(isTenants(tx, tenantId))
    .where(ofSessions)
    .where('event_name', '=', 'FeatureUsed')
    .execute()
  for (const { event_data } of used) {
    const { featureCode, occurredAt } = JSON.parse(event_data) as { featureCode?: unknown; occurredAt?: unknown }
    const kept = JSON.stringify({ featureCode, occurredAt })
    if (kept === event_data) continue
    await records
      .set({ event_data: kept })
      .where(ofSessions)
      .where('event_name', '=', 'FeatureUsed')
      .where('event_data', '=', event_data)
      .execute()
  }
}
