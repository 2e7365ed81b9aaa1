import { lastInstant } from '../../../catalog-schema/instant.ts'
import { toInstant } from '../../kit/instants.ts'
import { invalid, Problem } from '../../kit/problem.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { renewalPolicyOf, usualRenewalOf } from '../policies/effective.ts'
import { anchorOf, endAfter } from './periods.ts'
import type { Settled } from './settling.ts'
import { tell, tellRenewed } from './telling.ts'

/** How far an entitlement is renewed: until an instant (milliseconds), or by a number of its policy's periods (1 unless told). */
export interface Renewal {
  until?: number | undefined
  periods?: number | undefined
}

/**
 * The entitlement with its end moved on, from its present end if that is still to come, else from now (milliseconds); one
 * that had expired is Active again, a trial becomes a paid licence. Throws catalog.invalid_transition for a Draft or
 * Cancelled one, the validation problem for a renewal that moves nothing on. Without a renewal policy a period is the usual
 * one, where periods are asked for or there is an end to move.
 */
export function renew(row: EntitlementRow, { until, periods }: Renewal, now: number): Settled {
  if (row.status === 'Draft' || row.status === 'Cancelled')
    throw new Problem('catalog.invalid_transition', `It is ${row.status} and cannot be renewed.`)
  if (until !== undefined && periods !== undefined) throw refusal('', 'give either "until" or "periods"')
  if (until !== undefined) return renewedTo(row, untilInstant(until, startOf(row, now)), now)
  if (periods === undefined && isPerpetual(row))
    throw refusal(
      '/until',
      'say until when, or by how many periods: it has neither an expirationDateTime nor a renewalPolicy',
    )
  const moved = byPeriods(row, startOf(row, now), periods)
  if (!moved) throw refusal('/periods', 'must not lead beyond the year 9999')
  return renewedTo(row, moved, now)
}

/** Whether nothing says when it would end. */
const isPerpetual = (row: EntitlementRow) => row.expiration_date_time === null && renewalPolicyOf(row) === null

/** From when a renewal counts: the present end, the beginning of what is not valid yet, or now, whichever is last. */
const startOf = (row: EntitlementRow, now: number) =>
  Math.max(now, row.expiration_date_time ?? now, row.not_valid_before_date_time ?? now)

/** The entitlement that had expired Active again: until its end if that was moved meanwhile, else renewed by a period; throws catalog.invalid_transition where nothing says how long that is. */
export function renewExpired(row: EntitlementRow, now: number): Settled {
  const end = row.expiration_date_time
  if (end !== null && end > now)
    return renewedTo(row, { expiration_date_time: end, period_anchor_at: row.period_anchor_at }, now, now)
  const moved = isPerpetual(row) ? undefined : byPeriods(row, startOf(row, now), 1)
  if (!moved)
    throw new Problem(
      'catalog.invalid_transition',
      'It is Expired, and becomes Active by being renewed until an instant.',
    )
  return renewedTo(row, moved, now)
}

type Moved = Pick<EntitlementRow, 'expiration_date_time' | 'period_anchor_at'>

function renewedTo(row: EntitlementRow, moved: Moved, now: number, start = startOf(row, now)): Settled {
  const isBack = row.status === 'Expired'
  const renewed = {
    ...row,
    ...moved,
    status: isBack ? 'Active' : row.status,
    is_entitlement_trial: 0,
    period_started_at: start === now ? now : row.period_started_at,
  }
  const event = tellRenewed(renewed, start, renewed.expiration_date_time)
  return { row: renewed, happenings: [event, ...(isBack ? [tell('Entitlement.Activated', renewed)] : [])] }
}

/** The end so many periods later; undefined beyond what can be written. */
function byPeriods(row: EntitlementRow, start: number, periods = 1): Moved | undefined {
  const anchor = anchorOf(start, row.period_anchor_at)
  const end = endAfter(start, anchor, usualRenewalOf(row).period, periods)
  return end === null || end <= lastInstant ? { expiration_date_time: end, period_anchor_at: anchor } : undefined
}

function untilInstant(until: number, start: number): Moved {
  if (until <= start) throw refusal('/until', `must be after ${toInstant(start)}, from which it is renewed`)
  return { expiration_date_time: until, period_anchor_at: until }
}

const refusal = (pointer: string, message: string) => invalid([{ pointer, message }])
