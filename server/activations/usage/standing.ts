import type { Readable, Tx } from '../../database/database.ts'
import { findStandings } from '../../entitlements/life/standings.ts'
import { licensePolicyOf } from '../../entitlements/policies/effective.ts'
import { Problem } from '../../kit/problem.ts'
import { RecentlyUsed } from '../../kit/recently-used.ts'
import { isToBeHeardOf, type SeatPolicy } from '../sessions/leasing.ts'
import { standingDetails } from '../sessions/precedence.ts'
import { lockSessionEnds, type SessionEnd, sessionEnds } from '../sessions/store.ts'

/** How a session stands at an instant. */
export interface Standing {
  /** Why it may use nothing; undefined when it may. */
  refusal: Problem | undefined
  /** Whether it has to be heard of when it uses something, to keep its seat or to take one again. */
  isToBeHeardOf: boolean
}

/** How each of these sessions stands at `now` (milliseconds). */
export async function standingsOf(
  read: Readable,
  tenantId: string,
  sessionIds: readonly string[],
  now: number,
): Promise<Map<string, Standing>> {
  return judge(read, tenantId, { sessionIds, rows: await sessionEnds(read, tenantId, sessionIds) }, now)
}

/** The same of a session that nobody erases until the transaction ends, so that nothing is kept of one that was. */
export async function lockStandingOf(tx: Tx, tenantId: string, sessionId: string, now: number): Promise<Standing> {
  const sessionIds = [sessionId]
  const rows = await lockSessionEnds(tx, tenantId, sessionIds)
  return (await judge(tx, tenantId, { sessionIds, rows }, now)).get(sessionId)!
}

async function judge(
  read: Readable,
  tenantId: string,
  { sessionIds, rows }: { sessionIds: readonly string[]; rows: readonly SessionEnd[] },
  now: number,
) {
  const entitlementIds = [...new Set(rows.map((row) => row.entitlement_id))]
  const entitlements = await findStandings(read, tenantId, entitlementIds, now)
  const gone: Standing = { refusal: notValid('The session is gone.'), isToBeHeardOf: false }
  const standings = new Map(sessionIds.map((id) => [id, gone]))
  for (const row of rows) {
    const { refusal, license_policy } = entitlements.get(row.entitlement_id)!
    standings.set(row.id, {
      refusal: closed(row) ?? (refusal && new Problem(refusal, standingDetails[refusal])),
      isToBeHeardOf: isToBeHeardOf(row, seatPolicyOf(license_policy), now),
    })
  }
  return standings
}

/** By how they are stored: few differ. */
const seatPolicies = new RecentlyUsed<SeatPolicy>(500)

function seatPolicyOf(license_policy: string | null): SeatPolicy {
  const stored = license_policy ?? ''
  let policy = seatPolicies.get(stored)
  if (!policy) {
    policy = licensePolicyOf({ license_policy })
    seatPolicies.set(stored, policy)
  }
  return policy
}

function closed(row: SessionEnd): Problem | undefined {
  if (row.revoked_at !== null) return notValid('The session was revoked.')
  if (row.released_at !== null) return notValid('The session was released.')
  return row.blocked > 0 ? new Problem('license.device_not_allowed', 'This device is blocked.') : undefined
}

const notValid = (detail: string) => new Problem('license.session_not_valid', detail)
