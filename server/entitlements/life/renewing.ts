import { toInstant } from '../../kit/clock.ts'
import { invalid, Problem } from '../../kit/problem.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { renewalPolicyOf } from '../policies/effective.ts'
import { lastInstant } from './last-instant.ts'
import { anchorOf, endAfter } from './periods.ts'
import type { Settled } from './settling.ts'
import { periodOf, tell } from './telling.ts'

/** How far an entitlement is renewed: until an instant (milliseconds), or by a number of its policy's periods (1 unless told). */
export interface Renewal {
  until?: number | undefined
  periods?: number | undefined
}

/**
 * The entitlement with its end moved on, from its present end if that is still to come, else from now (milliseconds); one
 * that had expired is Active again, a trial becomes a paid licence. Throws catalog.invalid_transition for a Draft or
 * Cancelled one, the validation problem for a renewal that moves nothing on.
 */
export function renew(row: EntitlementRow, { until, periods }: Renewal, now: number): Settled {
  if (row.status === 'Draft' || row.status === 'Cancelled')
    throw new Problem('catalog.invalid_transition', `It is ${row.status} and cannot be renewed.`)
  if (until !== undefined && periods !== undefined) throw refusal('', 'give either "until" or "periods"')
  const start = Math.max(now, row.expiration_date_time ?? now)
  return renewedTo(row, until === undefined ? byPeriods(row, start, periods) : untilInstant(until, start), start, now)
}

/** The entitlement that had expired Active again: until its end if that was moved meanwhile, else renewed by a period. */
export function renewExpired(row: EntitlementRow, now: number): Settled {
  const end = row.expiration_date_time
  return end !== null && end > now
    ? renewedTo(row, { expiration_date_time: end, period_anchor_at: row.period_anchor_at }, now, now)
    : renew(row, {}, now)
}

type Moved = Pick<EntitlementRow, 'expiration_date_time' | 'period_anchor_at'>

function renewedTo(row: EntitlementRow, moved: Moved, start: number, now: number): Settled {
  const isBack = row.status === 'Expired'
  const renewed = {
    ...row,
    ...moved,
    status: isBack ? 'Active' : row.status,
    is_entitlement_trial: 0,
    period_started_at: start === now ? now : row.period_started_at,
  }
  const event = tell('Entitlement.Renewed', renewed, periodOf(start, renewed.expiration_date_time))
  return { row: renewed, happenings: [event, ...(isBack ? [tell('Entitlement.Activated', renewed)] : [])] }
}

function byPeriods(row: EntitlementRow, start: number, periods = 1): Moved {
  const policy = renewalPolicyOf(row)
  if (policy === null)
    throw refusal('/until', 'say until when: it has no renewalPolicy that tells how long a period is')
  const anchor = anchorOf(start, row.period_anchor_at)
  const end = endAfter(start, anchor, policy.period, periods)
  if (end !== null && !(end <= lastInstant)) throw refusal('/periods', 'must not lead beyond the year 9999')
  return { expiration_date_time: end, period_anchor_at: anchor }
}

function untilInstant(until: number, start: number): Moved {
  if (until <= start) throw refusal('/until', `must be after ${toInstant(start)}, from which it is renewed`)
  return { expiration_date_time: until, period_anchor_at: until }
}

const refusal = (pointer: string, message: string) => invalid([{ pointer, message }])
