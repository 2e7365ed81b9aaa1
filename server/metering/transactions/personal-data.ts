import type { Tx } from '../../database/database.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'

/**
 * Takes from the records that these license sessions uploaded whatever their applications noted beside what counts: a
 * `FeatureUsed` keeps its feature and time, every other event its meter and amount alone. No total changes.
 */
export async function eraseSessionRecords(tx: Tx, tenantId: string, sessionIds: readonly string[]): Promise<void> {
  const ofSessions = isAmong(tx, 'scope_id', listed(tx, sessionIds))
  const records = tx.updateTable('usage_transactions').where('tenant_id', '=', tenantId)
  await records.set({ event_data: '{}' }).where(ofSessions).where('event_name', '<>', 'FeatureUsed').execute()
  const used = await tx
    .selectFrom('usage_transactions')
    .select('event_data')
    .distinct()
    .where('tenant_id', '=', tenantId)
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
