import { type RawBuilder, sql } from 'kysely'
import type { Readable } from '../../database/database.ts'
import { findRefusals } from '../../entitlements/life/standings.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
import { Problem } from '../../kit/problem.ts'
import { standingDetails } from '../sessions/precedence.ts'

interface Ids extends Record<string, unknown> {
  tenantId: string
  ids: unknown
}

const isBlocked: RawBuilder<number> = sql<number>`(select count(*) from blocked_devices as b
where b.tenant_id = s.tenant_id and b.entitlement_id = s.entitlement_id and b.fingerprint = s.fingerprint)`

const sessions = compileOnce((read, { tenantId, ids }: Ids) =>
  read
    .selectFrom('license_sessions as s')
    .select(['id', 'entitlement_id', 'revoked_at', 'released_at', isBlocked.as('blocked')])
    .where(isTenants(read, tenantId))
    .where(isAmong(read, 'id', ids)),
)

/** Why each of these sessions may use nothing at `now` (milliseconds); undefined for one that may. */
export async function refusalsOf(
  read: Readable,
  tenantId: string,
  sessionIds: readonly string[],
  now: number,
): Promise<Map<string, Problem | undefined>> {
  const rows = await sessions(read, { tenantId, ids: listed(read, sessionIds) })
  const entitlementIds = [...new Set(rows.map((row) => row.entitlement_id))]
  const standings = await findRefusals(read, tenantId, entitlementIds, now)
  const refusals = new Map<string, Problem | undefined>(sessionIds.map((id) => [id, notValid('The session is gone.')]))
  for (const row of rows) {
    const standing = standings.get(row.entitlement_id)
    refusals.set(row.id, closed(row) ?? (standing && new Problem(standing, standingDetails[standing])))
  }
  return refusals
}

function closed(row: { revoked_at: number | null; released_at: number | null; blocked: number }): Problem | undefined {
  if (row.revoked_at !== null) return notValid('The session was revoked.')
  if (row.released_at !== null) return notValid('The session was released.')
  return row.blocked > 0 ? new Problem('license.device_not_allowed', 'This device is blocked.') : undefined
}

const notValid = (detail: string) => new Problem('license.session_not_valid', detail)
