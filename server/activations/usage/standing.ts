import type { Readable, Tx } from '../../database/database.ts'
import { type Standing as EntitlementStanding, findStandings } from '../../entitlements/life/standings.ts'
import { licensePolicyOf } from '../../entitlements/policies/effective.ts'
import type { SeatPolicy } from '../../entitlements/seats/holding.ts'
import { allDone } from '../../kit/compiled-query.ts'
import type { SessionCaller } from '../../kit/context.ts'
import { Problem } from '../../kit/problem.ts'
import { RecentlyUsed } from '../../kit/recently-used.ts'
import { isToBeHeardOf } from '../sessions/leasing.ts'
import { standingDetails } from '../sessions/precedence.ts'
import { lockSessionEnds, type SessionEnd, sessionEnds } from '../sessions/store.ts'

/** How a session stands at an instant. */
export interface Standing {
  /** Why it may use nothing; undefined when it may. */
  refusal: Problem | undefined
  /** Whether it has to be heard of when it uses something, to keep its seat or to take one again. */
  isToBeHeardOf: () => boolean
}

/** How each of these sessions stands at `now` (milliseconds): sessions and entitlements are read at once, each round trip taking a turn of the event loop. */
export async function standingsOf(
  read: Readable,
  tenantId: string,
  callers: readonly Pick<SessionCaller, 'sessionId' | 'entitlementId'>[],
  now: number,
): Promise<Map<string, Standing>> {
  const sessionIds = [...new Set(callers.map(({ sessionId }) => sessionId))]
  const entitlementIds = [...new Set(callers.map(({ entitlementId }) => entitlementId))]
  const [rows, entitlements] = await allDone([
    sessionEnds(read, tenantId, sessionIds),
    findStandings(read, tenantId, entitlementIds, now),
  ])
  const standings = new Map(sessionIds.map((id) => [id, gone]))
  for (const row of rows) standings.set(row.id, judge(row, entitlements, now))
  return standings
}

/** How a session stands at `now`. */
export const standingOf = async (read: Readable, tenantId: string, sessionId: string, now: number): Promise<Standing> =>
  judgeAlone(read, tenantId, await sessionEnds(read, tenantId, [sessionId]), now)

/** The same of a session that nobody erases until the transaction ends, so that nothing is kept of one that was. */
export const lockStandingOf = async (tx: Tx, tenantId: string, sessionId: string, now: number): Promise<Standing> =>
  judgeAlone(tx, tenantId, await lockSessionEnds(tx, tenantId, [sessionId]), now)

async function judgeAlone(read: Readable, tenantId: string, [row]: readonly SessionEnd[], now: number) {
  return row ? judge(row, await findStandings(read, tenantId, [row.entitlement_id], now), now) : gone
}

function judge(row: SessionEnd, entitlements: ReadonlyMap<string, EntitlementStanding>, now: number): Standing {
  const entitlement = entitlements.get(row.entitlement_id)
  if (!entitlement) return gone
  const { refusal, license_policy } = entitlement
  return {
    refusal: closed(row) ?? (refusal && new Problem(refusal, standingDetails[refusal])),
    isToBeHeardOf: () => isToBeHeardOf(row, seatPolicyOf(license_policy), now),
  }
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
const gone: Standing = { refusal: notValid('The session is gone.'), isToBeHeardOf: () => false }
