import type { Readable } from '../../database/database.ts'
import { findRefusals } from '../../entitlements/life/standings.ts'
import { Problem } from '../../kit/problem.ts'
import { standingDetails } from '../sessions/precedence.ts'
import { type SessionEnd, sessionEnds } from '../sessions/store.ts'

/** Why each of these sessions may use nothing at `now` (milliseconds); undefined for one that may. */
export async function refusalsOf(
  read: Readable,
  tenantId: string,
  sessionIds: readonly string[],
  now: number,
): Promise<Map<string, Problem | undefined>> {
  const rows = await sessionEnds(read, tenantId, sessionIds)
  const entitlementIds = [...new Set(rows.map((row) => row.entitlement_id))]
  const standings = await findRefusals(read, tenantId, entitlementIds, now)
  const refusals = new Map<string, Problem | undefined>()
  for (const row of rows) {
    const standing = standings.get(row.entitlement_id)
    refusals.set(row.id, closed(row) ?? (standing && new Problem(standing, standingDetails[standing])))
  }
  for (const id of sessionIds) if (!refusals.has(id)) refusals.set(id, notValid('The session is gone.'))
  return refusals
}

function closed(row: SessionEnd): Problem | undefined {
  if (row.revoked_at !== null) return notValid('The session was revoked.')
  if (row.released_at !== null) return notValid('The session was released.')
  return row.blocked > 0 ? new Problem('license.device_not_allowed', 'This device is blocked.') : undefined
}

const notValid = (detail: string) => new Problem('license.session_not_valid', detail)
