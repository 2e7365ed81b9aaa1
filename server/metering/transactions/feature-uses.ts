import type { Readable } from '../../database/database.ts'
import { listFeatureUses } from './store.ts'

/** How many of the newest uses of a scope tell what is used. */
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
  const lastUses = new Map<string, number>()
  for (const scopeId of scopeIds)
    for (const { code, last_used_at } of await listFeatureUses(read, tenantId, scopeId, newest))
      lastUses.set(code, Math.max(last_used_at, lastUses.get(code) ?? last_used_at))
  return lastUses
}
