import { subtractDuration } from '../../kit/duration-adding.ts'
import type { Happening } from '../../kit/outbox.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { renewalPolicyOf, trialPolicyOf } from '../policies/effective.ts'
import { renewalOf, renewsItself } from './periods.ts'
import { subscriptionStatusOf } from './standing.ts'
import { tell, tellRenewed } from './telling.ts'
import { startTrial, trialEndOf } from './trials.ts'

/** A row as something has left it, and the events of that, in their order. */
export interface Settled {
  row: EntitlementRow
  happenings: Happening[]
}

/** Something that time does to an entitlement by itself. */
interface Due {
  at: number
  befall: (row: EntitlementRow) => Settled
}

/**
 * What time has made of an entitlement by now (milliseconds): notices given, periods renewed, the end come, each once and
 * in the order of time; when something is due next; and what follows from all that. Settling twice is settling once.
 */
export function settle(given: EntitlementRow, now: number): Settled {
  let row = startsWithCreation(given) ? startTrial(given, now) : given
  const happenings: Happening[] = []
  let next = findNext(row, now)
  while (next && next.at <= now) {
    const befallen = next.befall(row)
    row = befallen.row
    happenings.push(...befallen.happenings)
    next = findNext(row, now)
  }
  return { row: { ...row, next_due_at: next?.at ?? null, subscription_status: subscriptionStatusOf(row) }, happenings }
}

/**
 * A row as it is to be written in place of `before`: of an end that it is given when that is past, nobody is told that it
 * approaches.
 */
export function withoutLateNotice(
  row: EntitlementRow,
  before: EntitlementRow | undefined,
  now: number,
): EntitlementRow {
  const end = row.expiration_date_time
  const isKnown = before !== undefined && isRunning(before) && before.expiration_date_time === end
  return isKnown || end === null || end > now ? row : { ...row, expiring_told_for: end }
}

const startsWithCreation = (row: EntitlementRow) =>
  row.is_offer === 0 && (row.status === 'Draft' || isRunning(row)) && trialPolicyOf(row)?.startsOn === 'Creation'

/** Whether time does anything to it: suspending an entitlement stops its use, not its time. */
const isRunning = (row: EntitlementRow) =>
  row.is_offer === 0 && row.is_deleted === 0 && (row.status === 'Active' || row.status === 'Suspended')

/** What time does next; a notice comes before the end of the same instant. */
function findNext(row: EntitlementRow, now: number): Due | undefined {
  if (!isRunning(row)) return undefined
  const due = [...dueOfTrial(row), ...dueOfPeriod(row, now)]
  return due.reduce<Due | undefined>((first, one) => (first && first.at <= one.at ? first : one), undefined)
}

function dueOfTrial(row: EntitlementRow): Due[] {
  const end = trialEndOf(row)
  if (end === null) return []
  const notice: Due = {
    at: Math.max(row.trial_started_at ?? 0, noticeBefore(row, end)),
    befall: (at) => giveNotice('Entitlement.TrialExpiring', { ...at, trial_expiring_told_for: end }),
  }
  return [...(row.trial_expiring_told_for === end ? [] : [notice]), { at: end, befall: expire }]
}

function dueOfPeriod(row: EntitlementRow, now: number): Due[] {
  const end = row.expiration_date_time
  if (end === null) return []
  if (renewsItself(row)) return [{ at: end, befall: (ended) => renewByItself(ended, end, now) }]
  const notice: Due = {
    at: noticeBefore(row, end),
    befall: (at) => giveNotice('Entitlement.Expiring', { ...at, expiring_told_for: end }),
  }
  return [...(row.expiring_told_for === end ? [] : [notice]), { at: end, befall: expire }]
}

const noticeBefore = (row: EntitlementRow, end: number) =>
  subtractDuration(end, renewalPolicyOf(row)?.expiringNotice ?? 'P7D') || 0

const giveNotice = (type: 'Entitlement.Expiring' | 'Entitlement.TrialExpiring', row: EntitlementRow): Settled => ({
  row,
  happenings: [tell(type, row)],
})

const expire = (row: EntitlementRow): Settled => ({ row: { ...row, status: 'Expired' }, happenings: [] })

function renewByItself(row: EntitlementRow, end: number, now: number): Settled {
  const { start, end: next, anchor } = renewalOf(row, end, now)
  const renewed = { ...row, period_started_at: start, period_anchor_at: anchor, expiration_date_time: next }
  return { row: renewed, happenings: [tellRenewed(renewed, start, next)] }
}
