import type { Readable } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
import { refusalOf, type StandingRefusal, type StandingRow } from './standing.ts'

interface Ids extends Record<string, unknown> {
  tenantId: string
  ids: unknown
}

const standings = compileOnce((read, { tenantId, ids }: Ids) =>
  read
    .selectFrom('entitlements')
    .select(['id', 'status', 'not_valid_before_date_time', 'expiration_date_time', 'renewal_policy'])
    .select(['is_entitlement_trial', 'trial_policy', 'trial_ends_at', 'license_policy'])
    .where(isTenants(read, tenantId))
    .where(isAmong(read, 'id', ids))
    .where('is_deleted', '=', no),
)

/** How an entitlement stands at an instant. */
export interface Standing {
  /** Why it may not be used; undefined when it may. */
  refusal: StandingRefusal | undefined
  /** Its license policy as it is stored. */
  license_policy: string | null
}

const gone: Standing = { refusal: 'license.entitlement_not_active', license_policy: null }

/** How each of these entitlements stands now (milliseconds). One that is gone is not active. */
export async function findStandings(
  read: Readable,
  tenantId: string,
  ids: readonly string[],
  now: number,
): Promise<Map<string, Standing>> {
  const rows: (StandingRow & { id: string; license_policy: string | null })[] = await standings(read, {
    tenantId,
    ids: listed(read, ids),
  })
  const found = new Map(ids.map((id) => [id, gone]))
  for (const row of rows) found.set(row.id, { refusal: refusalOf(row, now), license_policy: row.license_policy })
  return found
}

/** Why each of these entitlements may not be used now (milliseconds); undefined for one that may. */
export async function findRefusals(
  read: Readable,
  tenantId: string,
  ids: readonly string[],
  now: number,
): Promise<Map<string, StandingRefusal | undefined>> {
  const found = await findStandings(read, tenantId, ids, now)
  return new Map([...found].map(([id, { refusal }]) => [id, refusal]))
}
