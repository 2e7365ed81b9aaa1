import { quotaUsagePolicies } from '../../../catalog-schema/enumerations.ts'
import { compareDecimals, type Decimal } from '../../kit/decimal.ts'
import { isTouched, type QuotaUsagePolicy, type Tier } from './tier.ts'

const graceMillis = 3 * 24 * 3_600_000
const acceptedEveryMillis = 60_000

/** What happened in tiers, by their keys; instants in milliseconds. */
export type TierMarks = Readonly<Record<string, TierMark>>
interface TierMark {
  /** When usage of the period first entered it; of a tier that allows usage for a time only. */
  enteredAt?: number
  /** When a call was last accepted in it; of a tier that allows one at a time. */
  acceptedAt?: number
}

const paceEndOf = (acceptedAt: number) => acceptedAt + acceptedEveryMillis

/** When the minutes after the last accepted calls are over, tier by tier, in milliseconds. */
export const paceEnds = (marks: TierMarks): number[] =>
  Object.values(marks).flatMap(({ acceptedAt }) => (acceptedAt === undefined ? [] : [paceEndOf(acceptedAt)]))

/** What tiers say to an amount: the most restrictive of those that it touches rules. */
export interface Ruling {
  refusal: 'denied' | 'suspended' | 'rate_limited' | null
  policy: QuotaUsagePolicy
  /** Undefined where no tier rules. */
  tier: Tier | undefined
  /** When the minute of a rate-limited tier is over, in milliseconds; null otherwise. */
  paceEnds: number | null
}

const free: Ruling = { refusal: null, policy: 'None', tier: undefined, paceEnds: null }

/** What the tiers say at `now` to usage that would go on from `from` to `to`; `end` is where the last of them ends. */
export function rulingOf(
  { tiers, end }: { tiers: readonly Tier[]; end: Decimal | null },
  marks: TierMarks,
  from: Decimal,
  to: Decimal,
  now: number,
): Ruling {
  let ruling: Ruling = free
  for (const tier of tiers) {
    if (!isTouched(tier, from, to)) continue
    const word = wordOf(tier, marks[tier.key], now)
    if (ruling === free || isStricter(word, ruling)) ruling = word
  }
  if (end === null || compareDecimals(to, end) <= 0) return ruling
  const pastEnd: Ruling = { refusal: 'denied', policy: 'Deny', tier: tiers.at(-1), paceEnds: null }
  return isStricter(pastEnd, ruling) ? pastEnd : ruling
}

/** Of two that are as strict the one that refuses for longer. */
const isStricter = (one: Ruling, other: Ruling) =>
  strictness(one) > strictness(other) ||
  (strictness(one) === strictness(other) && (one.paceEnds ?? 0) > (other.paceEnds ?? 0))

/** A grace that is over is strict as Deny is. */
const strictness = ({ refusal, policy }: Ruling) =>
  quotaUsagePolicies.indexOf(refusal === 'denied' ? 'Deny' : policy) * 2 + (refusal === null ? 0 : 1)

function wordOf(tier: Tier, mark: TierMark | undefined, now: number): Ruling {
  const { policy } = tier
  const allowed: Ruling = { refusal: null, policy, tier, paceEnds: null }
  if (policy === 'Deny') return { ...allowed, refusal: 'denied' }
  if (policy === 'SuspendUsage') return { ...allowed, refusal: 'suspended' }
  if (isGraceOver(tier, mark, now)) return { ...allowed, refusal: 'denied' }
  // A call that was accepted further ahead than that was so by a clock that has been set back since.
  if (policy === 'RateLimit' && mark?.acceptedAt !== undefined && Math.abs(now - mark.acceptedAt) < acceptedEveryMillis)
    return { ...allowed, refusal: 'rate_limited', paceEnds: paceEndOf(mark.acceptedAt) }
  return allowed
}

const isGraceOver = ({ policy }: Tier, mark: TierMark | undefined, now: number) =>
  policy === 'AllowWithGrace' && mark?.enteredAt !== undefined && now >= mark.enteredAt + graceMillis

/**
 * Where usage must stop at `now` whatever is paid: where a tier begins that allows none, or whose grace is over, the first of
 * those that it has not passed; else at `end`, where the last tier ends. Null without a bound.
 */
export function limitAt(
  { tiers, end }: { tiers: readonly Tier[]; end: Decimal | null },
  { usage, marks }: { usage: Decimal; marks: TierMarks },
  now: number,
): Decimal | null {
  const isRefusing = (tier: Tier) =>
    tier.policy === 'Deny' || tier.policy === 'SuspendUsage' || isGraceOver(tier, marks[tier.key], now)
  const isPassed = (tier: Tier) => tier.end !== null && compareDecimals(usage, tier.end) >= 0
  return tiers.find((tier) => isRefusing(tier) && !isPassed(tier))?.start ?? end
}

/** The marks after usage went on from `from` to `to`. */
export function marksEntered(tiers: readonly Tier[], marks: TierMarks, from: Decimal, to: Decimal, now: number) {
  return marked(tiers, marks, from, to, ({ policy }, mark) =>
    policy === 'AllowWithGrace' && mark?.enteredAt === undefined ? { ...mark, enteredAt: now } : mark,
  )
}

/** The marks with which the next period begins: its tiers are entered anew, the minute of a call goes on. */
export const marksCarried = (marks: TierMarks): TierMarks =>
  Object.fromEntries(
    Object.entries(marks).flatMap(([key, { acceptedAt }]) => (acceptedAt === undefined ? [] : [[key, { acceptedAt }]])),
  )

/** The marks after a call that would go on from `from` to `to` was accepted. */
export function marksAccepted(tiers: readonly Tier[], marks: TierMarks, from: Decimal, to: Decimal, now: number) {
  return marked(tiers, marks, from, to, ({ policy }, mark) =>
    policy === 'RateLimit' ? { ...mark, acceptedAt: now } : mark,
  )
}

function marked(
  tiers: readonly Tier[],
  marks: TierMarks,
  from: Decimal,
  to: Decimal,
  mark: (tier: Tier, before: TierMark | undefined) => TierMark | undefined,
): TierMarks {
  let after = marks
  for (const tier of tiers) {
    const before = marks[tier.key]
    const next = isTouched(tier, from, to) ? mark(tier, before) : before
    if (next && next !== before) after = { ...after, [tier.key]: next }
  }
  return after
}
