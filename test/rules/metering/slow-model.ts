import type { BalanceUsage, MeteredUsage } from '../../../catalog-schema/metric.ts'
import { type SlowBalance, type SlowMeter, type SlowVerdict, spending, wasUsedUp } from './slow-meters.ts'
import { least, most, type Parts, parts, sum, written } from './slow-numbers.ts'
import {
  type Bill,
  bill,
  endOf,
  firstInstant,
  isUsedUp,
  nextInstant,
  overlap,
  type SlowTier,
  slowLimit,
  slowTiers,
  standing,
} from './slow-tiers.ts'

const restrictive = ['None', 'NotifyOnly', 'AllowWithOverage', 'AllowWithGrace', 'RateLimit', 'Deny', 'SuspendUsage']
const threeDays = 3 * 24 * 60 * 60 * 1000
const never = Date.parse('9999-12-31T23:59:59.999Z')
const filling = ['Deposit', 'AutoBalance']

/** Metering as the contract tells it: nothing is kept but what happened, and all else is read off that each time. */
export class SlowModel {
  now: number
  readonly meters: SlowMeter[]
  readonly balances: SlowBalance[]

  constructor(meters: Record<string, MeteredUsage>, balances: Record<string, BalanceUsage>, now: number) {
    this.now = now
    const empty = { holds: [], levels: [] }
    this.meters = Object.entries(meters).map(([metric, usage]) => ({
      ...structuredClone(empty),
      metric,
      usage,
      tiers: slowTiers(usage),
      counted: [],
      accepted: [],
      suspensions: [],
    }))
    this.balances = Object.entries(balances).map(([metric, balance]) => ({
      ...structuredClone(empty),
      metric,
      balance,
      movements: [{ kind: 'Initial', amount: parts(balance.initialCreditAmount), at: now }],
      noted: 0,
      unfunded: [],
      lastUnfundedAt: null,
    }))
    this.noteLevels()
  }

  periodOf = (meter: SlowMeter, instant = this.now) => firstInstant(meter.usage.consumptionPeriod, instant)
  endOfPeriod = (meter: SlowMeter) => nextInstant(meter.usage.consumptionPeriod, this.now)
  usageOf = (meter: SlowMeter, period = this.periodOf(meter)) =>
    sum(meter.counted.filter((one) => one.period === period).map(({ amount }) => amount))
  heldOf = ({ holds }: SlowMeter | SlowBalance) =>
    sum(holds.filter(({ expiresAt }) => expiresAt > this.now).map(({ amount }) => amount))
  suspendedUntil = ({ suspensions }: SlowMeter) => suspensions.find((until) => until > this.now) ?? null
  levelOf = (meter: SlowMeter) => standing(meter.tiers, this.usageOf(meter))?.level ?? 'None'
  limitOf = (meter: SlowMeter) =>
    slowLimit(
      meter.tiers.map((tier) => (this.isGraceOver(meter, tier) ? { ...tier, policy: 'Deny' } : tier)),
      this.usageOf(meter),
    )

  remainingOf = ({ movements }: SlowBalance) => sum(movements.map(({ amount }) => amount))
  usedOf({ movements }: SlowBalance): Parts {
    const since = movements.findLastIndex(({ kind }) => filling.includes(kind)) + 1
    return -sum(
      movements
        .slice(since)
        .filter(({ kind }) => spending.includes(kind))
        .map(({ amount }) => amount),
    )
  }
  everUsedOf = ({ movements }: SlowBalance) =>
    -sum(movements.filter(({ kind }) => spending.includes(kind)).map(({ amount }) => amount))
  bandsOf = (balance: SlowBalance) =>
    balance.balance.isUnlimitedCredits
      ? []
      : balance.balance.usageQuota
          .filter(({ endUsage }) => this.remainingOf(balance) < parts(endUsage))
          .sort((a, b) => a.endUsage - b.endUsage)
  isBlocked = (balance: SlowBalance) =>
    this.bandsOf(balance).some(({ quotaUsageLevel }) => quotaUsageLevel === 'Critical')

  /** What is promised of a balance: what is held of it, and what holds of meters will cost it. */
  reservedOf(balance: SlowBalance): Parts {
    const bills = this.meters.map((meter) => this.billOf(meter, this.usageOf(meter), this.heldOf(meter)))
    return this.heldOf(balance) + sum(bills.map((one) => one.get(balance.metric) ?? 0n))
  }

  /** Lets time pass: balances are filled at each midnight on the way where their schedule says so. */
  advance(now: number): void {
    const day = 86_400_000
    for (let midnight = Math.floor(this.now / day) * day + day; midnight <= now; midnight += day) {
      this.now = midnight
      for (const balance of this.balances) if (balance.balance.autoBalanceCronSchedule !== null) this.fill(balance)
    }
    this.now = now
    this.noteLevels()
  }

  fill(balance: SlowBalance): void {
    this.waive(balance)
    const { shouldAutoBalanceTransferCurrentCredits, maxAutoBalanceCreditTransferAmount, autoBalanceCreditAmount } =
      balance.balance
    const rest = this.remainingOf(balance)
    const mostKept = maxAutoBalanceCreditTransferAmount === null ? rest : parts(maxAutoBalanceCreditTransferAmount)
    const kept = shouldAutoBalanceTransferCurrentCredits ? least(rest, mostKept) : 0n
    this.move(balance, 'Lapse', kept - rest)
    this.move(balance, 'AutoBalance', parts(autoBalanceCreditAmount ?? 0))
    this.noteLevels()
  }

  waive(balance: SlowBalance): void {
    const remaining = this.remainingOf(balance)
    if (remaining < 0n) this.move(balance, 'Waived', -remaining)
  }

  move(balance: SlowBalance, kind: string, amount: Parts): void {
    balance.movements.push({ kind, amount, at: this.now })
  }

  noteLevels(): void {
    const note = (levels: string[], level: string, again = false) =>
      again || levels.at(-1) !== level ? levels.push(level) : undefined
    for (const meter of this.meters) note(meter.levels, this.levelOf(meter))
    for (const balance of this.balances) {
      note(balance.levels, this.bandsOf(balance)[0]?.quotaUsageLevel ?? 'None', wasUsedUp(balance))
      balance.noted = balance.movements.length
    }
  }

  judge(meter: SlowMeter, amount: Parts, promised: Parts, isHold: boolean): SlowVerdict {
    const [usage, held] = [this.usageOf(meter), this.heldOf(meter)]
    const charges: Bill = isHold ? new Map() : this.billOf(meter, usage, amount)
    const verdict = { reason: null, policy: null, tiers: [], charges, payers: [...charges.keys()], retryAt: null }
    if (amount <= promised) return verdict
    const suspendedUntil = this.suspendedUntil(meter)
    const chance = (earliest: number) => this.chanceOf(meter, amount, promised, earliest)
    if (suspendedUntil !== null) return { ...verdict, reason: 'suspended', retryAt: chance(suspendedUntil), payers: [] }
    const ruled = this.rule(meter, usage + held + promised, usage + held + amount)
    const opens = ruled.reason === 'suspended' ? (this.endOfPeriod(meter) ?? never) : this.now
    if (ruled.reason !== null) return { ...verdict, ...ruled, retryAt: chance(opens), payers: [] }
    const short = this.findShort(meter, amount, promised, isHold)
    return { ...verdict, ...ruled, ...short }
  }

  private rule(meter: SlowMeter, from: Parts, to: Parts) {
    const all = meter.tiers
    const words = all
      .filter((tier) => overlap(tier, from, to) > 0n)
      .map((tier) => {
        const { policy } = tier
        const isPaced = policy === 'RateLimit' && this.isPaced(meter, tier)
        const rank = restrictive.indexOf(this.isGraceOver(meter, tier) ? 'Deny' : policy)
        return { tier, rank, isPaced, policy: policy as string }
      })
    const end = endOf(all)
    const isPastEnd = end !== null && to > end
    const top = words
      .map(({ rank }) => rank)
      .reduce((a, b) => Math.max(a, b), isPastEnd ? restrictive.indexOf('Deny') : 0)
    const ruling = words.filter(({ rank }) => rank === top)
    const strictest = restrictive[top]!
    const told = {
      policy: ruling[0]?.policy ?? strictest,
      tiers:
        ruling.length > 0 ? ruling.map(({ tier }) => tier) : [isPastEnd ? all.at(-1)! : { name: null, level: 'None' }],
    }
    if (strictest === 'Deny') return { ...told, reason: 'denied' as const }
    if (strictest === 'SuspendUsage') return { ...told, reason: 'suspended' as const }
    return { ...told, reason: ruling.some(({ isPaced }) => isPaced) ? ('rate_limited' as const) : null }
  }

  /** The first instant at which a hold has ended, or a period, or the minute after a call, and the same is allowed. */
  private chanceOf(meter: SlowMeter, amount: Parts, promised: Parts, earliest: number): number | null {
    const { now } = this
    const minutes = meter.accepted.map(({ at }) => at + 60_000)
    const instants = [...meter.holds.map(({ expiresAt }) => expiresAt), this.endOfPeriod(meter), ...minutes]
      .filter((at) => at !== null && at > now && at >= earliest)
      .sort((a, b) => a! - b!)
    for (const at of instants) {
      this.now = at!
      const from = this.usageOf(meter) + this.heldOf(meter)
      const { reason } = this.rule(meter, from + promised, from + amount)
      this.now = now
      if (reason === null) return at
    }
    return null
  }

  /** Whether three days are over since usage of the period first had a part in the tier. */
  private isGraceOver(meter: SlowMeter, { policy, start, end }: SlowTier): boolean {
    if (end !== null && this.usageOf(meter) >= end) return false
    let usage = 0n
    for (const { amount, at } of meter.counted.filter(({ period }) => period === this.periodOf(meter))) {
      if (usage + amount > start && (end === null || usage < end))
        return policy === 'AllowWithGrace' && this.now - at >= threeDays
      usage += amount
    }
    return false
  }

  /** Whether the minute of the call that was last accepted in the tier goes on. */
  private isPaced(meter: SlowMeter, { start, end }: SlowTier): boolean {
    const last = meter.accepted.filter(({ from, to }) => to > start && (end === null || from < end)).at(-1)
    return last !== undefined && this.now - last.at < 60_000
  }

  /** The first balance in the order of units that cannot pay what is asked of it, and why. */
  private findShort(meter: SlowMeter, amount: Parts, promised: Parts, isHold: boolean) {
    const [usage, held] = [this.usageOf(meter), this.heldOf(meter)]
    const asked = this.askedOf(meter, usage, amount, held, isHold)
    const askedBefore = this.askedOf(meter, usage, promised, held, false)
    for (const [metric, { now, later }] of asked) {
      const before = askedBefore.get(metric) ?? { now: 0n, later: 0n }
      if (now <= before.now && later <= before.later) continue
      const balance = this.balances.find((one) => one.metric === metric)
      if (!balance) return { reason: 'insufficient_credits', payers: [metric] }
      if (balance.balance.isUnlimitedCredits) continue
      const own = this.billOf(meter, usage, held).get(metric) ?? 0n
      const free = this.remainingOf(balance) - (this.reservedOf(balance) - own)
      const reason = this.isBlocked(balance) ? 'balance_blocked' : free < now + later ? 'insufficient_credits' : null
      if (reason !== null) return { reason, payers: [metric] }
    }
    return {}
  }

  private askedOf(meter: SlowMeter, usage: Parts, amount: Parts, held: Parts, isHold: boolean) {
    const now = isHold ? new Map() : this.billOf(meter, usage, amount)
    const later = isHold ? this.billOf(meter, usage, held + amount) : this.billOf(meter, usage + amount, held)
    const payers = new Set([...now.keys(), ...later.keys()])
    return new Map(
      [...payers].map((metric) => [metric, { now: now.get(metric) ?? 0n, later: later.get(metric) ?? 0n }]),
    )
  }

  private billOf(meter: SlowMeter, from: Parts, amount: Parts): Bill {
    return bill(meter.tiers, meter.usage.accumulationMethod === 'Volume', from, from + amount)
  }

  judgeBalance(balance: SlowBalance, amount: Parts, promised: Parts): SlowVerdict {
    const verdict = {
      reason: null,
      policy: null,
      tiers: [],
      charges: new Map([[balance.metric, amount]]),
      payers: [],
      retryAt: null,
    }
    if (amount <= promised || balance.balance.isUnlimitedCredits) return verdict
    if (this.isBlocked(balance)) return { ...verdict, reason: 'balance_blocked' }
    const free = this.remainingOf(balance) - this.reservedOf(balance)
    return free < amount ? { ...verdict, reason: 'insufficient_credits' } : verdict
  }

  /** Consumes, or only holds where a hold is given; answers what was said to it, and what the balances paid. */
  decide(
    metric: string,
    amount: Parts,
    { promised = 0n, hold }: { promised?: Parts; hold?: { id: string; expiresAt: number } } = {},
  ) {
    const meter = this.meters.find((one) => one.metric === metric)
    const balance = this.balances.find((one) => one.metric === metric)
    const verdict = meter
      ? this.judge(meter, amount, promised, hold !== undefined)
      : this.judgeBalance(balance!, amount, promised)
    let paid = 0n
    if (verdict.reason !== null) this.refuse(verdict, meter, balance)
    else {
      if (meter && amount > promised) {
        const from = this.usageOf(meter) + this.heldOf(meter)
        meter.accepted.push({ from: from + promised, to: from + amount, at: this.now })
      }
      if (hold) (meter ?? balance!).holds.push({ ...hold, amount })
      else paid = this.count(verdict.charges, false, amount, meter)
    }
    this.noteLevels()
    return { ...verdict, paid }
  }

  private refuse({ reason, payers, policy }: SlowVerdict, meter?: SlowMeter, balance?: SlowBalance): void {
    if (reason === 'suspended' && policy !== null && meter) meter.suspensions.push(this.endOfPeriod(meter) ?? never)
    if (reason !== 'insufficient_credits' && reason !== 'balance_blocked') return
    const short = balance ?? this.balances.find(({ metric }) => metric === payers[0])
    if (short) short.lastUnfundedAt = this.now
  }

  private count(
    charges: Bill,
    isReported: boolean,
    amount: Parts,
    meter?: SlowMeter,
    period = meter && this.periodOf(meter),
    at = this.now,
  ): Parts {
    let all = 0n
    meter?.counted.push({ period: period ?? null, amount, at })
    for (const [metric, credits] of charges) {
      const balance = this.balances.find((one) => one.metric === metric)
      if (!balance) continue
      const free = most(0n, this.remainingOf(balance) - this.reservedOf(balance))
      const isAllPaid = balance.balance.isUnlimitedCredits
      const paid = isAllPaid ? credits : isReported && this.isBlocked(balance) ? 0n : least(free, credits)
      if (paid > 0n) this.move(balance, 'Consumption', -paid)
      if (paid < credits) {
        balance.unfunded.push(credits - paid)
        balance.lastUnfundedAt = this.now
      }
      all += paid
    }
    return all
  }

  /** Settles a hold that is open; when the excess is refused, it stays. */
  settle(metric: string, id: string, amount: Parts): SlowVerdict & { paid: Parts } {
    const held = [...this.meters, ...this.balances].find((one) => one.metric === metric)!
    const all = held.holds
    const hold = all.find((one) => one.id === id)!
    held.holds = all.filter((one) => one !== hold)
    const verdict = this.decide(metric, amount, { promised: least(amount, hold.amount) })
    if (verdict.reason === null) return verdict
    held.holds = all
    const wait = Math.ceil(((verdict.retryAt ?? never) - this.now) / 1000) * 1000
    return this.now + wait < hold.expiresAt ? verdict : { ...verdict, retryAt: null }
  }

  release(metric: string, id: string): void {
    for (const held of [...this.meters, ...this.balances])
      if (held.metric === metric) held.holds = held.holds.filter((one) => one.id !== id)
  }

  report(metric: string, amount: Parts, occurredAt: number): void {
    const meter = this.meters.find((one) => one.metric === metric)
    if (!meter) this.count(new Map([[metric, amount]]), true, amount)
    else {
      const period = this.periodOf(meter, occurredAt)
      this.count(this.billOf(meter, this.usageOf(meter, period), amount), true, amount, meter, period, occurredAt)
    }
    this.noteLevels()
  }

  deposit(metric: string, amount: Parts): void {
    const balance = this.balances.find((one) => one.metric === metric)!
    this.waive(balance)
    this.move(balance, 'Deposit', amount)
    this.noteLevels()
  }

  canDeduct(metric: string, amount: Parts): boolean {
    const balance = this.balances.find((one) => one.metric === metric)!
    return balance.balance.isUnlimitedCredits || this.remainingOf(balance) >= amount
  }

  deduct(metric: string, amount: Parts): void {
    this.move(this.balances.find((one) => one.metric === metric)!, 'Deduction', -amount)
    this.noteLevels()
  }

  usageTold(meter: SlowMeter) {
    const [usage, limit] = [this.usageOf(meter), this.limitOf(meter)]
    const tier = standing(meter.tiers, usage)
    return {
      usage: written(usage),
      limit: limit === null ? null : written(limit),
      remaining: limit === null ? null : written(most(0n, limit - usage - this.heldOf(meter))),
      periodStart: told(this.periodOf(meter)),
      periodEnd: told(this.endOfPeriod(meter)),
      quotaUsageLevel: tier?.level ?? 'None',
      quotaUsagePolicy: isUsedUp(meter.tiers, usage) ? 'Deny' : (tier?.policy ?? 'None'),
      tier: tier?.name ?? null,
      suspendedUntilAt: told(this.suspendedUntil(meter)),
    }
  }

  creditsTold(balance: SlowBalance) {
    const [remaining, used, bands] = [this.remainingOf(balance), this.usedOf(balance), this.bandsOf(balance)]
    return {
      totalCredits: written(remaining + used),
      creditsUsed: written(used),
      remaining: balance.balance.isUnlimitedCredits ? null : written(remaining),
      cumulativeCreditsUsed: written(this.everUsedOf(balance)),
      unfundedCredits: written(sum(balance.unfunded)),
      lastUnfundedAt: told(balance.lastUnfundedAt),
      overageSeverityStatus: bands[0]?.quotaUsageLevel ?? 'None',
      band: bands[0]?.name ?? null,
      lastDeposit: told(balance.movements.findLast(({ kind }) => filling.includes(kind))?.at ?? null),
    }
  }
}

const told = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString())
