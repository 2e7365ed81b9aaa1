import { describe, expect, test } from 'vitest'
import { quotaUsagePolicies } from '../../../catalog-schema/enumerations.ts'
import type { UsageTier } from '../../../catalog-schema/usage-tier.ts'
import { consume, preallocate } from '../../../server/metering/consumption/deciding.ts'
import type { Decision } from '../../../server/metering/consumption/decision.ts'
import { hold } from '../../../server/metering/consumption/holding.ts'
import { report } from '../../../server/metering/consumption/reporting.ts'
import { usageOf } from '../../../server/metering/consumption/snapshot.ts'
import { tier } from '../../support/layered-entitlements.ts'
import { amount, at, balance, counting, courseOf, idOf, wire } from './courses.ts'

const now = at('2026-03-10T12:00:00Z')

type Policy = UsageTier['quotaUsagePolicy']
const ruled = (start: number | null, end: number | null, quotaUsagePolicy: Policy, fields: Partial<UsageTier> = {}) =>
  tier(start, end, { name: `${quotaUsagePolicy} from ${start ?? 0}`, quotaUsagePolicy, ...fields })

/** What is decided of an amount where so much was used before. */
function decided(
  tiers: UsageTier[],
  used: number | string,
  wanted: number | string,
  period: 'Monthly' | 'Lifetime' = 'Monthly',
) {
  const course = courseOf([counting('calls', tiers, { consumptionPeriod: period }), balance('credits')], now)
  const id = idOf(course, 'calls')
  if (used !== 0) report(course, id, amount(used), now, now)
  return wire(consume(course, id, amount(wanted), now))
}

const allowed = ({ allowed, reason, quotaUsagePolicy, tier }: Decision) => [
  allowed ? 'allowed' : reason,
  quotaUsagePolicy,
  tier,
]

describe('each policy, alone', () => {
  test.each([
    ['None', 'allowed'],
    ['NotifyOnly', 'allowed'],
    ['AllowWithOverage', 'allowed'],
    ['AllowWithGrace', 'allowed'],
    ['RateLimit', 'allowed'],
    ['Deny', 'denied'],
    ['SuspendUsage', 'suspended'],
  ] as const)('%s: the first call is %s', (policy, outcome) => {
    expect(allowed(decided([ruled(0, null, policy)], 0, 1))).toEqual([outcome, policy, `${policy} from 0`])
  })

  test('a refused call consumes nothing', () => {
    for (const policy of ['Deny', 'SuspendUsage'] as const)
      expect(decided([ruled(0, 5, 'None'), ruled(5, null, policy)], 3, 3)).toMatchObject({
        usage: 3,
        remaining: 2,
        limit: 5,
      })
  })
})

describe('a call that touches several tiers', () => {
  const pairs = quotaUsagePolicies.flatMap((one, rank) =>
    quotaUsagePolicies.slice(rank + 1).map((other) => [one, other] as const),
  )

  test.each(pairs)('of %s and %s the second rules, whichever comes first', (milder, stricter) => {
    const rising = decided([ruled(0, 10, milder), ruled(10, 20, stricter)], 5, 10)
    const falling = decided([ruled(0, 10, stricter), ruled(10, 20, milder)], 5, 10)
    expect([rising.quotaUsagePolicy, rising.tier]).toEqual([stricter, `${stricter} from 10`])
    expect([falling.quotaUsagePolicy, falling.tier]).toEqual([stricter, `${stricter} from 0`])
  })
})

describe('a refusal tells policy, tier and level of the tier that ruled, and its meter stands as before', () => {
  const normal = ruled(0, 10, 'None', { quotaUsageLevel: 'Normal' })
  const over = (policy: Policy, fields: Partial<UsageTier> = {}) =>
    ruled(10, 20, policy, { quotaUsageLevel: 'Critical', ...fields })
  const unpaid = { creditsPerUnitOfConsumption: 1, fundingBalanceMetric: 'credits' }
  test.each([
    ['Deny', [normal, over('Deny')], 11, ['denied', 'Deny', 'Deny from 10', 'Critical']],
    [
      'SuspendUsage',
      [normal, over('SuspendUsage')],
      11,
      ['suspended', 'SuspendUsage', 'SuspendUsage from 10', 'Critical'],
    ],
    ['the end of the last tier', [normal, over('None')], 21, ['denied', 'Deny', 'None from 10', 'Critical']],
    ['the end of the only tier', [normal], 11, ['denied', 'Deny', 'None from 0', 'Normal']],
    [
      'an overage that nobody pays',
      [normal, over('AllowWithOverage', unpaid)],
      11,
      ['insufficient_credits', 'AllowWithOverage', 'AllowWithOverage from 10', 'Critical'],
    ],
  ] as const)('%s', (_, tiers, wanted, told) => {
    const course = courseOf([counting('calls', [...tiers]), balance('credits')], now)
    const id = idOf(course, 'calls')
    const asked = [
      preallocate(course, id, amount(wanted), now),
      hold(course, id, { id: 'a', amount: amount(wanted), expiresAt: now + 1000 }, now),
      consume(course.rehearsal(), id, amount(wanted), now),
    ]
    const expected = told[0] === 'suspended' ? asked.slice(0, 2) : asked
    for (const { reason, quotaUsagePolicy, tier, quotaUsageLevel } of expected)
      expect([reason, quotaUsagePolicy, tier, quotaUsageLevel]).toEqual(told)
    expect(usageOf(course, course.get(id), now)).toMatchObject({ usage: 0, quotaUsageLevel: 'Normal' })
    expect(course.happenings).toEqual([])
  })

  test('a minute that is not over, and a grace that is', () => {
    const minute = courseOf([counting('calls', [normal, over('RateLimit')])], now)
    const grace = courseOf([counting('calls', [normal, over('AllowWithGrace')])], now)
    for (const [course, later] of [
      [minute, now + 1000],
      [grace, at('2026-03-14')],
    ] as const) {
      const id = idOf(course, 'calls')
      if (course === minute) hold(course, id, { id: 'a', amount: amount(11), expiresAt: later + 1 }, now)
      else consume(course, id, amount(11), now)
      const { reason, quotaUsagePolicy, tier, quotaUsageLevel } = consume(course, id, amount(1), later)
      const [why, policy] = course === minute ? ['rate_limited', 'RateLimit'] : ['denied', 'AllowWithGrace']
      expect([reason, quotaUsagePolicy, tier, quotaUsageLevel]).toEqual([why, policy, `${policy} from 10`, 'Critical'])
    }
  })
})

test('a minute is a minute, too, where the clock has been set back since', () => {
  const course = courseOf([counting('calls', [ruled(0, null, 'RateLimit')])], now)
  const id = idOf(course, 'calls')
  expect(consume(course, id, amount(1), now + 25 * 3_600_000).allowed).toBe(true)
  expect(consume(course, id, amount(1), now).allowed).toBe(true)
  expect(consume(course, id, amount(1), now - 30_000)).toMatchObject({ allowed: false, retryAfterSeconds: 90 })
})

describe('which tiers a call touches', () => {
  const tiers = [ruled(0, 10, 'None'), ruled(10, 20, 'NotifyOnly'), ruled(20, null, 'Deny')]
  test.each([
    ['up to just before a bound', 0, 9, 'None from 0'],
    ['up to a bound exactly', 0, 10, 'None from 0'],
    ['over a bound by the smallest part', '9', '1.000000000000000001', 'NotifyOnly from 10'],
    ['from a bound exactly', 10, 1, 'NotifyOnly from 10'],
    ['up to the bound of Deny exactly', 15, 5, 'NotifyOnly from 10'],
    ['over it by the smallest part', 15, '5.000000000000000001', 'Deny from 20'],
    ['through a whole tier', 5, 16, 'Deny from 20'],
  ])('%s', (_, used, wanted, name) => {
    expect(decided(tiers, used, wanted).tier).toBe(name)
  })

  test('the order in which tiers are written means nothing', () => {
    for (const [used, wanted] of [
      [0, 10],
      [9, 2],
      [15, 5],
      [15, 6],
    ] as const)
      expect(decided(tiers.toReversed(), used, wanted)).toEqual({ ...decided(tiers, used, wanted) })
  })
})

describe('where no tier is', () => {
  test('without tiers everything is allowed, without a limit', () => {
    expect(decided([], 0, '999999999999999.999999999')).toMatchObject({
      allowed: true,
      limit: null,
      remaining: null,
      quotaUsageLevel: 'None',
      quotaUsagePolicy: 'None',
      tier: null,
    })
  })

  const gapped = [
    ruled(10, 20, 'NotifyOnly', { quotaUsageLevel: 'Normal' }),
    ruled(30, 40, 'RateLimit', { quotaUsageLevel: 'Warning' }),
  ]
  test.each([
    ['before a first tier that starts later', 0, 10, 'allowed', 'None', null],
    ['in a gap', 20, 5, 'allowed', 'None', null],
    ['in a gap to its very end', 25, 5, 'allowed', 'None', null],
    ['out of a gap into the next tier', 25, 6, 'allowed', 'RateLimit', 'RateLimit from 30'],
    ['up to the end of the last tier', 30, 10, 'allowed', 'RateLimit', 'RateLimit from 30'],
    ['past the end of the last tier', 30, 11, 'denied', 'Deny', 'RateLimit from 30'],
    ['wholly past it', 50, 1, 'denied', 'Deny', 'RateLimit from 30'],
  ] as const)('%s', (_, used, wanted, outcome, policy, name) => {
    expect(allowed(decided(gapped, used, wanted))).toEqual([outcome, policy, name])
  })

  test('the last tier without an end has no end past which all is denied', () => {
    expect(decided([ruled(null, 10, 'None'), ruled(10, null, 'None')], 1e15, 1e15).allowed).toBe(true)
  })
})

describe('limit and remaining', () => {
  test.each([
    ['the start of the first tier that denies', [ruled(0, 80, 'None'), ruled(80, null, 'Deny')], 80],
    [
      'the start of the first tier that suspends',
      [ruled(0, 80, 'None'), ruled(80, 90, 'SuspendUsage'), ruled(90, null, 'Deny')],
      80,
    ],
    [
      'the end of the last tier, where that is lower',
      [ruled(0, 80, 'None'), ruled(90, null, 'Deny')].map((one) => ({ ...one, endUsage: one.endUsage ?? 100 })),
      90,
    ],
    ['the end of the last tier', [ruled(0, 80, 'None'), ruled(80, 100, 'RateLimit')], 100],
    ['nothing, when the first tier denies', [ruled(null, null, 'Deny')], 0],
    ['none, when the last tier is without end', [ruled(0, 80, 'None'), ruled(80, null, 'AllowWithGrace')], null],
  ])('%s', (_, tiers, limit) => {
    const { limit: found, remaining } = decided(tiers, 79, 0.5)
    expect([found, remaining]).toEqual([limit, limit === null ? null : limit === 0 ? 0 : limit - 79.5])
  })

  const broken = [
    ruled(0, 2, 'None'),
    ruled(2, 3, 'Deny'),
    ruled(3, 20, 'None'),
    ruled(20, 30, 'SuspendUsage'),
    ruled(30, 40, 'None'),
  ]
  test.each([
    ['before the first', 1, { limit: 2, remaining: 1 }],
    ['within it', 2.5, { limit: 2, remaining: 0 }],
    ['at its end', 3, { limit: 20, remaining: 17 }],
    ['past it', 5, { limit: 20, remaining: 15 }],
    ['past all of them', 35, { limit: 40, remaining: 5 }],
    ['past the end of the last tier', 45, { limit: 40, remaining: 0 }],
  ])('with uploads that passed tiers that refuse, %s: usage %s', (_, used, told) => {
    const course = courseOf([counting('calls', broken)], now)
    const id = idOf(course, 'calls')
    report(course, id, amount(used), now, now)
    expect(wire(usageOf(course, course.get(id), now))).toMatchObject({ usage: used, ...told })
    const isAllowed = told.remaining > 0
    expect(preallocate(course, id, amount(told.remaining || 0.1), now).allowed).toBe(isAllowed)
    expect(preallocate(course, id, amount(told.remaining + 0.1), now).allowed).toBe(false)
  })

  test('what is left is never less than nothing, however far uploads went', () => {
    expect(decided([ruled(0, 10, 'None')], 25, 1)).toMatchObject({
      usage: 25,
      limit: 10,
      remaining: 0,
      reason: 'denied',
    })
  })
})

describe('when a refused call may be tried again', () => {
  const periodEnd = (at('2026-04-01') - now) / 1000
  test.each(['Deny', 'SuspendUsage'] as const)('%s: when the period is over', (policy) => {
    expect(decided([ruled(0, 3, 'None'), ruled(3, null, policy)], 2, 3).retryAfterSeconds).toBe(periodEnd)
  })
  test.each(['Deny', 'SuspendUsage'] as const)('%s of a Lifetime: never', (policy) => {
    const course = courseOf(
      [counting('calls', [ruled(0, 3, 'None'), ruled(3, null, policy)], { consumptionPeriod: 'Lifetime' })],
      now,
    )
    const id = idOf(course, 'calls')
    consume(course, id, amount(2), now)
    for (const time of [now, now + 1000]) expect(consume(course, id, amount(3), time).retryAfterSeconds).toBeNull()
  })
  test.each([
    ['Deny', [ruled(0, 3, 'None'), ruled(3, null, 'Deny')]],
    ['SuspendUsage', [ruled(0, 3, 'None'), ruled(3, null, 'SuspendUsage')]],
    ['the end of the last tier', [ruled(0, 3, 'None')]],
  ] as const)('%s: never, of more than a period allows', (_, tiers) => {
    const course = courseOf([counting('calls', [...tiers])], now)
    const id = idOf(course, 'calls')
    // Of SuspendUsage the second call is refused by the suspension.
    for (const time of [now, now + 1000]) expect(consume(course, id, amount(7.5), time).retryAfterSeconds).toBeNull()
  })

  const minute = 60_000
  test.each([
    ['as soon as enough holds have lapsed', 'Monthly', 1, 3, 10 * minute],
    ['later, where more is wanted', 'Monthly', 1, 5, 20 * minute],
    ['no sooner than the period ends, for more than that', 'Monthly', 1, 6, periodEnd * 1000],
    ['once the period is over, where that is sooner', 'Weekly', 7, 1, at('2026-03-16') - now],
    ['never, where usage stays', 'Lifetime', 1, 10, null],
  ] as const)('denied beside holds: %s', (_, consumptionPeriod, used, wanted, millis) => {
    const course = courseOf([counting('calls', [ruled(0, 10, 'None')], { consumptionPeriod })], now)
    const id = idOf(course, 'calls')
    const isLong = consumptionPeriod === 'Weekly'
    const lapses = isLong ? [at('2026-03-16') + 1, at('2026-03-17')] : [now + 10 * minute, now + 20 * minute]
    for (const [index, expiresAt] of lapses.entries())
      hold(course, id, { id: String(index), amount: amount(index + 1), expiresAt }, now)
    hold(course, id, { id: 'long', amount: amount(isLong ? 0.1 : 4), expiresAt: at('2026-04-02') }, now)
    report(course, id, amount(used), now, now)
    expect(consume(course, id, amount(wanted), now).retryAfterSeconds).toBe(millis === null ? null : millis / 1000)
  })

  describe('rate-limited beside holds', () => {
    const pace = [ruled(0, 5, 'None'), ruled(5, 20, 'RateLimit')]
    /** What is said to 2 more, ten seconds after a call in the RateLimit tier that was held for so long. */
    const afterHolding = (consumptionPeriod: 'Monthly' | 'Hourly', ...lapses: number[]) => {
      const begun = consumptionPeriod === 'Hourly' ? at('2026-03-10T12:59:30Z') : now
      const course = courseOf([counting('calls', pace, { consumptionPeriod })], begun)
      const id = idOf(course, 'calls')
      const held = lapses.map((seconds) => begun + seconds * 1000)
      for (const [index, expiresAt] of held.entries())
        hold(course, id, { id: String(index), amount: amount(6 / held.length), expiresAt }, begun)
      if (held.length === 0) consume(course, id, amount(6), begun)
      return consume(course, id, amount(2), begun + 10_000)
    }
    test.each([
      ['when the minute is over', 'Monthly', [], 'rate_limited', 50],
      ['or the hold lapses, below the tier', 'Monthly', [35], 'rate_limited', 25],
      ['or enough of them do', 'Monthly', [20, 30, 300], 'rate_limited', 20],
      ['however many at a time', 'Monthly', [25, 25, 25], 'rate_limited', 15],
      ['no sooner than the minute is over, where they last', 'Monthly', [300], 'rate_limited', 50],
      ['or the period is', 'Hourly', [], 'rate_limited', 20],
    ] as const)('%s', (_, consumptionPeriod, lapses, reason, retryAfterSeconds) => {
      expect(afterHolding(consumptionPeriod, ...lapses)).toMatchObject({ reason, retryAfterSeconds })
    })

    test('a tier past all bounds is asked about again when all that lapses at a time has', () => {
      const course = courseOf([counting('calls', [ruled(3, 4, 'None'), ruled(7, 11, 'RateLimit')])], now)
      const id = idOf(course, 'calls')
      const expiresAt = now + 1000
      hold(course, id, { id: 'one', amount: amount(0.4), expiresAt }, now)
      consume(course, id, amount(3.8), now)
      hold(course, id, { id: 'other', amount: amount(5.1), expiresAt }, now)
      expect(consume(course, id, amount(1.8), now)).toMatchObject({ reason: 'denied', retryAfterSeconds: 1 })
    })
  })

  test('an allowed call says nothing of it', () => {
    expect(decided([ruled(0, null, 'RateLimit')], 0, 1).retryAfterSeconds).toBeNull()
  })
})

test('at the end of the last tier, past which nothing is allowed, usage is told to be denied', () => {
  const course = courseOf([counting('calls', [tier(0, 10)])], now)
  const id = idOf(course, 'calls')
  consume(course, id, amount(9), now)
  expect(usageOf(course, course.get(id), now).quotaUsagePolicy).toBe('None')
  consume(course, id, amount(1), now)
  expect(usageOf(course, course.get(id), now)).toMatchObject({ remaining: 0, quotaUsagePolicy: 'Deny' })
})
