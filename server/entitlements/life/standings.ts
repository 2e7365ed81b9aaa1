import type { Readable } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
import { refusalOf, type StandingRefusal, type StandingRow } from './standing.ts'

interface Ids extends Record<string, unknown> {
  tenantId: string
  ids: unknown
}

/** Said as literals, what partial indexes are of: a parameter has SQLite plan anew at each execution. */
const standings = compileOnce((read, { tenantId, ids }: Ids) =>
  read
    .selectFrom('entitlements')
    .select(['id', 'status', 'not_valid_before_date_time', 'expiration_date_time', 'renewal_policy'])
    .select(['is_entitlement_trial', 'trial_policy', 'trial_ends_at'])
    .where(isTenants(read, tenantId))
    .where(isAmong(read, 'id', ids))
    .where(({ eb, lit }) => eb('is_deleted', '=', lit(0))),
)

/** Why each of these entitlements may not be used now (milliseconds); undefined for one that may. One that is gone is not active. */
export async function findRefusals(
  read: Readable,
  tenantId: string,
  ids: readonly string[],
  now: number,
): Promise<Map<string, StandingRefusal | undefined>> {
  const rows: (StandingRow & { id: string })[] = await standings(read, { tenantId, ids: listed(read, ids) })
  const refusals = new Map<string, StandingRefusal | undefined>(ids.map((id) => [id, 'license.entitlement_not_active']))
  for (const row of rows) refusals.set(row.id, refusalOf(row, now))
  return refusals
}
