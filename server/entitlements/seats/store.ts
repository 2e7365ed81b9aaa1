import { sql } from 'kysely'
import type { Readable } from '../../database/database.ts'
import { no, yes } from '../../kit/flags.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'
import { licensePolicyOf } from '../policies/effective.ts'
import { seatEnds } from './holding.ts'

/** Whether a seat that is counted is held at an instant: a condition on the rows of license_sessions. */
export type HeldSeats = ReturnType<typeof sql<boolean>>

/** Entitlements of changed policies, and until when (null: no end) each session holds its seat that is counted in theirs. */
export interface SeatsOfChanged {
  entitlementIds: readonly string[]
  ends: readonly { id: string; until: number | null }[]
}

/**
 * The row of a session says until when it holds its seat (`seat_until`), as the policy was when that was written. Where an
 * entitlement's policy was changed since (`is_reckoned` is 0 until somebody next wants one of its seats), these are the ends of its
 * seats by the policy as it is.
 */
export async function seatsOfChanged(read: Readable, tenantId: string): Promise<SeatsOfChanged> {
  const rows = await read
    .selectFrom('seat_counts')
    .innerJoin('entitlements', 'entitlements.id', 'seat_counts.entitlement_id')
    .select(['entitlements.id', 'entitlements.license_policy'])
    .where('seat_counts.tenant_id', '=', tenantId)
    .where('is_reckoned', '=', no)
    .execute()
  const policies = new Map(rows.map((row) => [row.id, licensePolicyOf(row)]))
  const entitlementIds = [...policies.keys()]
  if (entitlementIds.length === 0) return { entitlementIds, ends: [] }
  const seated = await read
    .selectFrom('license_sessions')
    .select(['id', 'entitlement_id', 'last_access_at', 'grace_expires_at'])
    .where('tenant_id', '=', tenantId)
    .where(isAmong(read, 'entitlement_id', listed(read, entitlementIds)))
    .where('is_seated', '=', yes)
    .execute()
  return { entitlementIds, ends: seatEnds(seated, policies) }
}

/** Which of a tenant's seats are held at `now`, as the present policies have it. */
export async function heldSeats(read: Readable, tenantId: string, now: number): Promise<HeldSeats> {
  const written = sql<boolean>`(license_sessions.seat_until is null or license_sessions.seat_until > cast(${now} as bigint))`
  const { entitlementIds, ends } = await seatsOfChanged(read, tenantId)
  if (entitlementIds.length === 0) return written
  const changed = listed(read, entitlementIds)
  const ids = ends.filter(({ until }) => until === null || until > now).map(({ id }) => id)
  return sql<boolean>`case when ${isAmong(read, 'license_sessions.entitlement_id', changed)}
then ${isAmong(read, 'license_sessions.id', listed(read, ids))} else ${written} end`
}

/** Whether a device holds a seat of an entitlement at `now`. */
export async function hasHeldSeat(read: Readable, tenantId: string, entitlementId: string, now: number) {
  const session = await read
    .selectFrom('license_sessions')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('entitlement_id', '=', entitlementId)
    .where('is_seated', '=', yes)
    .where(await heldSeats(read, tenantId, now))
    .limit(1)
    .executeTakeFirst()
  return session !== undefined
}
