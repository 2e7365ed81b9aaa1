import fc from 'fast-check'
import { expect, test } from 'vitest'
import { consumptionPeriods } from '../../../catalog-schema/enumerations.ts'
import type { BalanceUsage, MeteredUsage } from '../../../catalog-schema/metric.ts'
import { decimalText } from '../../../server/kit/decimal.ts'
import { deduct, deposit } from '../../../server/metering/balances/crediting.ts'
import type { Course } from '../../../server/metering/consumption/course.ts'
import { consume, preallocate } from '../../../server/metering/consumption/deciding.ts'
import type { Decision } from '../../../server/metering/consumption/decision.ts'
import { findHold, hold, release, settleHold } from '../../../server/metering/consumption/holding.ts'
import { reportLevel } from '../../../server/metering/consumption/level.ts'
import { asBalance } from '../../../server/metering/consumption/meter.ts'
import { report } from '../../../server/metering/consumption/reporting.ts'
import { settle } from '../../../server/metering/consumption/settling.ts'
import { consumptionOf, usageOf } from '../../../server/metering/consumption/snapshot.ts'
import { amount, at, balance, counting, courseOf, emptyBalance, idOf } from './courses.ts'
import { ladder } from './ladders.ts'
import type { SlowVerdict } from './slow-meters.ts'
import { SlowModel } from './slow-model.ts'
import { digits, parts, written } from './slow-numbers.ts'

const start = at('2028-02-27T22:30:00Z')
const metered = ['calls', 'exports']
const funds = ['credits', 'extra']

const band = fc.record({
  endUsage: fc.integer({ min: 0, max: 30 }),
  name: fc.constantFrom(null, 'low', 'lower'),
  quotaUsageLevel: fc.constantFrom('Normal' as const, 'Warning' as const, 'Critical' as const),
})
const bands = fc.uniqueArray(band, { maxLength: 2, selector: ({ endUsage }) => endUsage })
const fund: fc.Arbitrary<BalanceUsage> = fc.record({
  ...Object.fromEntries(Object.entries(emptyBalance).map(([name, value]) => [name, fc.constant(value)])),
  initialCreditAmount: fc.constantFrom(0, 5, 20, 40.5, 1e15),
  isUnlimitedCredits: fc.constantFrom(false, false, false, true),
  usageQuota: bands,
  autoBalanceCronSchedule: fc.constantFrom(null, null, '0 0 * * *'),
  shouldAutoBalanceTransferCurrentCredits: fc.boolean(),
  maxAutoBalanceCreditTransferAmount: fc.constantFrom(null, 0, 3, 15),
  autoBalanceCreditAmount: fc.constantFrom(null, 10, 0.5),
}) as fc.Arbitrary<BalanceUsage>

const counted = (method: MeteredUsage['accumulationMethod']) =>
  fc.record({
    consumptionPeriod: fc.constantFrom(...consumptionPeriods),
    accumulationMethod: fc.constant(method),
    usageTiers: ladder,
  })

const wanted = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 60 }).map((tenths) => written(parts(tenths) / 10n)) },
  { weight: 1, arbitrary: fc.constantFrom('0.000000000000000001', '999999999999999.999999999', '1e15') },
)
const metric = fc.constantFrom(...metered, 'calls', 'credits')
const which = fc.nat(3)
const minute = 60_000
const day = 1440 * minute
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      deed: fc.constant('wait' as const),
      for: fc.constantFrom(1, minute - 1, minute, 61 * minute, day, 3 * day - 1, 3 * day, 33 * day),
    }),
  },
  { weight: 8, arbitrary: fc.record({ deed: fc.constant('consume' as const), metric, wanted }) },
  {
    weight: 3,
    arbitrary: fc.record({ deed: fc.constant('hold' as const), metric, wanted, for: fc.constantFrom(1, minute, day) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      deed: fc.constant('settle' as const),
      which,
      share: fc.constantFrom(0n, 5n, 10n, 10n, 15n),
    }),
  },
  { weight: 1, arbitrary: fc.record({ deed: fc.constant('release' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      deed: fc.constant('report' as const),
      metric,
      wanted,
      ago: fc.constantFrom(0, 61 * minute, 2 * day),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ deed: fc.constant('deposit' as const), metric: fc.constantFrom(...funds), wanted }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ deed: fc.constant('deduct' as const), metric: fc.constantFrom(...funds), wanted }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** The engine and the model, taken through the same steps. */
class Both {
  readonly course: Course
  readonly model: SlowModel
  readonly holds: { id: string; metric: string; amount: string; expiresAt: number }[] = []
  now = start

  constructor(meters: Record<string, MeteredUsage>, balances: Record<string, BalanceUsage>) {
    this.course = courseOf(
      [
        ...Object.entries(meters).map(([name, usage]) => ({
          ...counting(name, usage.usageTiers, usage),
          openedAt: start,
        })),
        ...Object.entries(balances).map(([name, usage]) => ({ ...balance(name, usage), openedAt: start })),
      ],
      start,
    )
    this.model = new SlowModel(meters, balances, start)
  }

  take(step: Step): void {
    if (step.deed === 'wait') this.wait(step.for)
    else if (step.deed === 'settle' || step.deed === 'release') this.endHold(step)
    else this.use(step)
  }

  private use(step: Exclude<Step, { deed: 'wait' | 'settle' | 'release' }>): void {
    const { course, model, now } = this
    const id = idOf(course, step.metric)
    const [exact, slow] = [amount(step.wanted), parts(step.wanted)]
    if (step.deed === 'consume') {
      const foretold = preallocate(course, id, exact, now)
      this.compareStates()
      const decision = consume(course, id, exact, now)
      expect(foretold).toEqual(decision)
      this.compare(decision, step.metric, model.decide(step.metric, slow))
    } else if (step.deed === 'hold') {
      const held = { id: String(this.holds.length), expiresAt: now + step.for }
      if (model.meters.find((one) => one.metric === step.metric)?.usage.accumulationMethod === 'Volume') return
      const decision = hold(course, id, { ...held, amount: exact }, now)
      this.compare(decision, step.metric, model.decide(step.metric, slow, { hold: held }))
      if (decision.allowed) this.holds.push({ ...held, metric: step.metric, amount: step.wanted })
    } else if (step.deed === 'report') {
      report(course, id, exact, now - step.ago, now)
      model.report(step.metric, slow, now - step.ago)
    } else if (step.deed === 'deposit') {
      const before = asBalance(course.get(id))
      deposit(course, id, 'Deposit', exact, now)
      reportLevel(course, id, before)
      model.deposit(step.metric, slow)
    } else if (model.canDeduct(step.metric, slow)) {
      const before = asBalance(course.get(id))
      deduct(course, id, 'Deduction', exact, now)
      reportLevel(course, id, before)
      model.deduct(step.metric, slow)
    }
  }

  private wait(length: number): void {
    this.now += length
    settle(this.course, this.now)
    this.model.advance(this.now)
  }

  private endHold(step: Extract<Step, { deed: 'settle' | 'release' }>): void {
    const open = this.holds.filter(({ expiresAt }) => expiresAt > this.now)
    const ended = open[step.which % open.length]
    if (!ended) return
    const id = idOf(this.course, ended.metric)
    if (step.deed === 'release') {
      release(this.course, id, ended.id)
      this.model.release(ended.metric, ended.id)
    } else {
      const settled = (parts(ended.amount) * step.share) / 10n
      const decision = settleHold(
        this.course,
        id,
        findHold(this.course, id, ended.id)!,
        amount(written(settled)),
        this.now,
      )
      this.compare(decision, ended.metric, this.model.settle(ended.metric, ended.id, settled))
      if (!decision.allowed) return
    }
    this.holds.splice(this.holds.indexOf(ended), 1, { ...ended, expiresAt: 0 })
  }

  private compare(
    decision: Decision,
    metric: string,
    { reason, policy, tiers, paid, payers, retryAt }: SlowVerdict & { paid: bigint },
  ): void {
    expect([decision.allowed, decision.reason]).toEqual([reason === null, reason])
    if (policy !== null) expect(decision.quotaUsagePolicy).toBe(policy)
    const told = { name: decision.tier, level: decision.quotaUsageLevel }
    if (policy !== null) expect(tiers.map(({ name }) => name)).toContain(told.name)
    const isRefusedByRule = policy !== null && reason !== null
    if (isRefusedByRule) expect(tiers).toContainEqual(expect.objectContaining(told))
    expect(digits(decision.chargedCredits)).toBe(written(paid))
    expect(payers.length === 0 ? [null] : payers).toContain(decision.fundingBalanceMetric)
    expect(decision.retryAfterSeconds).toBe(
      retryAt === null ? null : Math.max(1, Math.ceil((retryAt - this.now) / 1000)),
    )
    const { usage, limit, remaining, quotaUsageLevel, periodStart, periodEnd } = usageOf(
      this.course,
      this.course.get(idOf(this.course, metric)),
      this.now,
    )
    expect(decision).toMatchObject({ usage, limit, remaining, periodStart, periodEnd })
    if (!isRefusedByRule) expect(told.level).toBe(quotaUsageLevel)
  }

  compareStates(): void {
    const { course, model } = this
    for (const meter of model.meters)
      expect(digits(usageOf(course, course.get(idOf(course, meter.metric)), this.now))).toMatchObject(
        model.usageTold(meter),
      )
    for (const one of model.balances) {
      const id = idOf(course, one.metric)
      expect(digits(consumptionOf(course, course.get(id), this.now))).toMatchObject(model.creditsTold(one))
      const moved = one.movements.filter(({ amount }) => amount !== 0n)
      const entries = course.entries.filter(({ meterId }) => meterId === id)
      expect(entries.map(({ kind, amount, occurredAt }) => [kind, decimalText(amount), occurredAt])).toEqual(
        moved.map((movement) => [movement.kind, written(movement.amount), movement.at]),
      )
    }
    for (const { metric, levels } of [...model.meters, ...model.balances]) {
      const told = course.happenings.filter(({ happening }) => happening.entityId === idOf(course, metric))
      const crossings = levels.slice(1).map((level, index) => ({ previousLevel: levels[index], level }))
      expect(told.map(({ happening }) => happening.data)).toMatchObject(crossings)
    }
  }
}

test('the engine does what the words say, step by step', { timeout: 30_000 }, () => {
  fc.assert(
    fc.property(
      fc.record({ calls: counted('Sliced'), exports: fc.oneof(counted('Sliced'), counted('Volume')) }),
      fc.record({ credits: fund, extra: fund }),
      fc.array(step, { maxLength: 25, size: 'max' }),
      (meters, balances, steps) => {
        const both = new Both(meters, balances)
        both.compareStates()
        for (const one of steps) {
          both.take(one)
          both.compareStates()
        }
      },
    ),
    { numRuns: 150 },
  )
})
