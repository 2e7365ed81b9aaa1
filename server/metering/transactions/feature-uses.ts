import { sql } from 'kysely'
import type { Readable } from '../../database/database.ts'
import { storeOf } from '../../kit/records/store.ts'

/** How many of the newest uses tell what is used. */
const newest = 500

/**
 * When (milliseconds) features were last used, by code: told by the newest FeatureUsed records of these scopes, which are
 * sessions, or entitlements for records of no session. A use at an unknown time tells nothing.
 */
export async function lastFeatureUses(
  read: Readable,
  tenantId: string,
  scopeIds: readonly string[],
): Promise<Map<string, number>> {
  const data = storeOf(read) === 'postgres' ? sql`event_data::json` : sql`event_data`
  const lastUses = new Map<string, number>()
  for (const scopeId of scopeIds) {
    // The name of the event is a literal, since the index is of those events alone.
    const { rows } = await sql<{
      code: string
      occurred_at: number
    }>`select code, max(occurred_at) as occurred_at from (
select ${data} ->> 'featureCode' as code, occurred_at from usage_transactions
where tenant_id = ${tenantId} and scope_id = ${scopeId} and event_name = 'FeatureUsed' and occurred_at is not null
order by occurred_at desc limit ${sql.lit(newest)}) as uses group by code`.execute(read)
    for (const { code, occurred_at } of rows)
      lastUses.set(code, Math.max(Number(occurred_at), lastUses.get(code) ?? Number.NEGATIVE_INFINITY))
  }
  return lastUses
}
