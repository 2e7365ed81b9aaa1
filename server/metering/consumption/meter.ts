import type { UsageTier } from '../../../catalog-schema/usage-tier.ts'
import { addDecimals, type Decimal, subtractDecimals, zero } from '../../kit/decimal.ts'
import type { AutoBalance } from '../balances/auto-balance.ts'
import type { Band } from '../balances/band.ts'
import type { ConsumptionPeriod } from '../tiers/period.ts'
import type { Pricing } from '../tiers/pricing.ts'
import type { TierMarks } from '../tiers/ruling.ts'
import type { QuotaUsageLevel } from '../tiers/tier.ts'

/** A meter of an entitlement: how it counts and charges, and how it stands. Exactly one of `metered` and `balance` is set. */
export interface Meter {
  readonly id: string
  readonly entitlementId: string
  readonly productId: string
  readonly metricName: string
  readonly unit: string | null
  /** ISO 8601: how old usage may be when it is reported. */
  readonly backDatingTolerance: string
  /** When it was opened, in milliseconds. */
  readonly openedAt: number
  readonly metered: Metered | null
  readonly balance: Balance | null
  readonly state: MeterState
}

/** Counting by tiers that apply anew in each period. */
export interface Metered extends Pricing {
  period: ConsumptionPeriod
  /** Where the last tier ends; usage past it is denied. */
  end: Decimal | null
  /** The tiers as the catalog writes them. */
  written: readonly UsageTier[]
}

/** Counting against credits. */
export interface Balance {
  initialCredits: Decimal
  isUnlimited: boolean
  bands: readonly Band[]
  autoBalance: AutoBalance | null
}

/** How a meter stands; instants in milliseconds. */
export interface MeterState {
  /** Of the period. */
  readonly usage: Decimal
  /** Null before the first period, and of a Lifetime, but for one that an earlier version left in its last period. */
  readonly periodStart: number | null
  readonly marks: TierMarks
  readonly holds: readonly Hold[]
  /** The level last reported; null until the meter is looked at for the first time. */
  readonly level: QuotaUsageLevel | null
  readonly suspendedUntil: number | null
  /** Null for what is no balance, and until it is opened. */
  readonly credits: Credits | null
}

/** An amount that is kept free until `expiresAt`. */
export interface Hold {
  readonly id: string
  readonly amount: Decimal
  readonly expiresAt: number
}

/** The credits of a balance. */
export interface Credits {
  readonly total: Decimal
  /** Since the last deposit. */
  readonly used: Decimal
  readonly cumulativeUsed: Decimal
  readonly unfunded: Decimal
  /** The most initial credits that were ever given. */
  readonly initialGiven: Decimal
  readonly lastUnfundedAt: number | null
  readonly lastDepositAt: number | null
  readonly lastAutoBalanceAt: number | null
}

/** What remains of credits. */
export const remainingOf = ({ total, used }: Credits): Decimal => subtractDecimals(total, used)

/** What is held of a meter. */
export const heldOf = ({ holds }: MeterState): Decimal =>
  holds.length === 0 ? zero : holds.map(({ amount }) => amount).reduce(addDecimals)

/** A meter that is a balance and was opened. */
export interface OpenBalance extends Meter {
  readonly balance: Balance
  readonly state: MeterState & { readonly credits: Credits }
}

export const isOpenBalance = (meter: Meter): meter is OpenBalance =>
  meter.balance !== null && meter.state.credits !== null

/** A settled meter that does not count by tiers. */
export function asBalance(meter: Meter): OpenBalance {
  if (!isOpenBalance(meter)) throw new Error(`meter ${meter.id} is no balance that was opened`)
  return meter
}

/** A meter that counts by tiers. */
export interface MeteredMeter extends Meter {
  readonly metered: Metered
}

export const isMetered = (meter: Meter): meter is MeteredMeter => meter.metered !== null
