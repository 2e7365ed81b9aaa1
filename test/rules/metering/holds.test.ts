import { describe, expect, test } from 'vitest'
import type { UsageTier } from '../../../catalog-schema/usage-tier.ts'
import type { Course } from '../../../server/metering/consumption/course.ts'
import { consume, preallocate } from '../../../server/metering/consumption/deciding.ts'
import { findHold, hold, release, settleHold } from '../../../server/metering/consumption/holding.ts'
import { report } from '../../../server/metering/consumption/reporting.ts'
import { settle } from '../../../server/metering/consumption/settling.ts'
import { consumptionOf, usageOf } from '../../../server/metering/consumption/snapshot.ts'
import { tier } from '../../support/layered-entitlements.ts'
import { amount, at, balance, counting, courseOf, idOf } from './courses.ts'

const now = at('2026-03-10T12:00:00Z')
const later = now + 300_000

const held = (course: Course, metric: string, id: string, of: number, expiresAt = later) =>
  hold(course, idOf(course, metric), { id, amount: amount(of), expiresAt }, now)

const settled = (course: Course, metric: string, id: string, of: number, instant = now) =>
  settleHold(course, idOf(course, metric), findHold(course, idOf(course, metric), id)!, amount(of), instant)

const usage = (course: Course, metric = 'calls') => usageOf(course, course.get(idOf(course, metric)), now)
const credits = (course: Course) => consumptionOf(course, course.get(idOf(course, 'credits')), now)
const paid = (start: number, end: number | null, price: number, fields: Partial<UsageTier> = {}) =>
  tier(start, end, {
    quotaUsagePolicy: 'AllowWithOverage',
    creditsPerUnitOfConsumption: price,
    fundingBalanceMetric: 'credits',
    ...fields,
  })

describe('what is held of a limit', () => {
  const limited = () => courseOf([counting('calls', [tier(0, 10)])], now)

  test('is neither used nor left, and the decision says so', () => {
    const course = limited()
    expect(held(course, 'calls', 'a', 4)).toMatchObject({ allowed: true, usage: 0, remaining: 6, chargedCredits: 0 })
    expect(usage(course)).toMatchObject({ usage: 0, remaining: 6 })
  })

  test('is out of reach of others', () => {
    const course = limited()
    held(course, 'calls', 'a', 4)
    expect(consume(course, idOf(course, 'calls'), amount(7), now)).toMatchObject({ allowed: false, reason: 'denied' })
    expect(held(course, 'calls', 'b', 7)).toMatchObject({ allowed: false, reason: 'denied', remaining: 6 })
    expect(consume(course, idOf(course, 'calls'), amount(6), now)).toMatchObject({ allowed: true, remaining: 0 })
  })

  test.each([
    ['all of it', 4, 6],
    ['a part', 1.5, 8.5],
    ['nothing', 0, 10],
  ])('can be settled with %s, and the rest is free again', (_, of, remaining) => {
    const course = limited()
    held(course, 'calls', 'a', 4)
    expect(settled(course, 'calls', 'a', of)).toMatchObject({ allowed: true, usage: of, remaining })
    expect(findHold(course, idOf(course, 'calls'), 'a')).toBeUndefined()
  })

  test('can be settled with more, as far as the tiers allow the excess', () => {
    const course = limited()
    held(course, 'calls', 'a', 4)
    held(course, 'calls', 'b', 4)
    const refused = settled(course, 'calls', 'a', 6.5)
    expect(refused).toMatchObject({ allowed: false, reason: 'denied', usage: 0, remaining: 2 })
    expect(usage(course)).toMatchObject({ usage: 0, remaining: 2 })
    expect(settled(course, 'calls', 'a', 6)).toMatchObject({ allowed: true, usage: 6, remaining: 0 })
    expect(settled(course, 'calls', 'b', 4)).toMatchObject({ allowed: true, usage: 10 })
  })

  test('a refusal to settle more names a time only at which the hold is still there', () => {
    const waits = (openFor: number) => {
      const course = courseOf([counting('calls', [tier(0, null, { quotaUsagePolicy: 'RateLimit' })])], now)
      held(course, 'calls', 'a', 1, now + openFor)
      return settled(course, 'calls', 'a', 2).retryAfterSeconds
    }
    expect([60_001, 60_000, 1000].map(waits)).toEqual([60, null, null])
    const course = limited()
    consume(course, idOf(course, 'calls'), amount(5), now)
    held(course, 'calls', 'a', 4)
    expect(settled(course, 'calls', 'a', 6)).toMatchObject({ reason: 'denied', retryAfterSeconds: null })
  })

  test('is free again when it is released', () => {
    const course = limited()
    held(course, 'calls', 'a', 10)
    release(course, idOf(course, 'calls'), 'a')
    expect(usage(course).remaining).toBe(10)
  })

  test('lapses at the instant that it expires, not before', () => {
    const course = limited()
    held(course, 'calls', 'a', 10)
    settle(course, later - 1)
    expect(usage(course).remaining).toBe(0)
    settle(course, later)
    expect(usage(course).remaining).toBe(10)
  })
})

describe('a hold and what tiers say', () => {
  test('a hold that would go where usage is suspended suspends it, and the holds that are open can still be settled', () => {
    const course = courseOf(
      [counting('calls', [tier(0, 10), tier(10, null, { quotaUsagePolicy: 'SuspendUsage' })])],
      now,
    )
    held(course, 'calls', 'a', 8)
    expect(held(course, 'calls', 'b', 3)).toMatchObject({ allowed: false, reason: 'suspended' })
    expect(consume(course, idOf(course, 'calls'), amount(1), now).reason).toBe('suspended')
    expect(settled(course, 'calls', 'a', 9)).toMatchObject({ allowed: false, reason: 'suspended' })
    expect(settled(course, 'calls', 'a', 8)).toMatchObject({ allowed: true, usage: 8 })
  })

  test('what is suspended for good is not allowed either when holds have lapsed', () => {
    const tiers = [tier(0, 10), tier(10, null, { quotaUsagePolicy: 'SuspendUsage' })]
    const course = courseOf([counting('calls', tiers, { consumptionPeriod: 'Lifetime' })], now)
    held(course, 'calls', 'a', 8)
    expect(consume(course, idOf(course, 'calls'), amount(5), now)).toMatchObject({
      reason: 'suspended',
      retryAfterSeconds: null,
    })
  })

  test('a hold is the one call of its minute, settling it is none', () => {
    for (const of of [0, 3, 5]) {
      const course = courseOf([counting('calls', [tier(0, null, { quotaUsagePolicy: 'RateLimit' })])], now)
      const one = () => consume(course, idOf(course, 'calls'), amount(1), now + 60_000)
      held(course, 'calls', 'a', 5)
      expect(consume(course, idOf(course, 'calls'), amount(1), now + 59_999).reason).toBe('rate_limited')
      expect(settled(course, 'calls', 'a', of, now + 30_000).allowed).toBe(true)
      expect(one().allowed).toBe(true)
    }
  })

  test('what is held does not raise the level, what is settled does', () => {
    const course = courseOf([counting('calls', [tier(0, 5), tier(5, 10, { quotaUsageLevel: 'Warning' })])], now)
    expect(held(course, 'calls', 'a', 6).quotaUsageLevel).toBe('None')
    expect(settled(course, 'calls', 'a', 6).quotaUsageLevel).toBe('Warning')
  })

  test('what is held of a balance is among what remains where it is told which band it is in', () => {
    const usageQuota = [{ endUsage: 8, name: null, quotaUsageLevel: 'Warning' as const }]
    const course = courseOf([balance('credits', { initialCreditAmount: 10, usageQuota })], now)
    held(course, 'credits', 'a', 6)
    consume(course, idOf(course, 'credits'), amount(3), now)
    expect(course.happenings.map(({ happening }) => happening.data)).toMatchObject([{ level: 'Warning', remaining: 7 }])
  })

  test('a grace begins when usage enters the tier, not when it is held', () => {
    const days = 86_400_000
    const course = courseOf([counting('calls', [tier(0, null, { quotaUsagePolicy: 'AllowWithGrace' })])], now)
    held(course, 'calls', 'a', 6, now + days)
    settled(course, 'calls', 'a', 6, now + days)
    const wanted = (instant: number) => preallocate(course, idOf(course, 'calls'), amount(1), instant).allowed
    expect([wanted(now + 4 * days - 1), wanted(now + 4 * days)]).toEqual([true, false])
  })
})

describe('what holds may cost', () => {
  const funded = (
    tiers: UsageTier[],
    initialCreditAmount: number,
    fields = {},
    method: 'Sliced' | 'Volume' = 'Sliced',
  ) =>
    courseOf(
      [
        counting('calls', tiers, { accumulationMethod: method }),
        counting('other', [paid(0, null, 1)]),
        balance('credits', { initialCreditAmount, ...fields }),
      ],
      now,
    )

  test('is kept free on the balance until they are settled', () => {
    const course = funded([paid(0, null, 2, { baseCredits: 1 })], 10)
    expect(held(course, 'calls', 'a', 4)).toMatchObject({ allowed: true, chargedCredits: 0 })
    expect(consume(course, idOf(course, 'other'), amount(2), now)).toMatchObject({ reason: 'insufficient_credits' })
    expect(consume(course, idOf(course, 'credits'), amount(2), now)).toMatchObject({ reason: 'insufficient_credits' })
    expect(held(course, 'calls', 'b', 1)).toMatchObject({ reason: 'insufficient_credits' })
    expect(usage(course, 'credits')).toMatchObject({ limit: 10, remaining: 1 })
    expect(consume(course, idOf(course, 'other'), amount(1), now).allowed).toBe(true)
    expect(settled(course, 'calls', 'a', 4)).toMatchObject({ allowed: true, chargedCredits: 9 })
    expect(credits(course)).toMatchObject({ remaining: 0, unfundedCredits: 0 })
  })

  test('is kept from others, and from its own meter no more than that', () => {
    const course = funded([paid(0, null, 1)], 10)
    held(course, 'calls', 'a', 6)
    expect(consume(course, idOf(course, 'calls'), amount(4.5), now)).toMatchObject({ reason: 'insufficient_credits' })
    expect(consume(course, idOf(course, 'calls'), amount(4), now)).toMatchObject({ allowed: true, chargedCredits: 4 })
    expect(settled(course, 'calls', 'a', 6)).toMatchObject({ allowed: true, chargedCredits: 6 })
  })

  test('is paid though the balance became Critical since they were accepted', () => {
    const quota = [{ endUsage: 8, name: 'low', quotaUsageLevel: 'Critical' as const }]
    const course = funded([paid(0, null, 1)], 10, { usageQuota: quota })
    held(course, 'calls', 'a', 5)
    held(course, 'calls', 'b', 5)
    expect(settled(course, 'calls', 'a', 5)).toMatchObject({ allowed: true, chargedCredits: 5 })
    expect(held(course, 'calls', 'c', 1).reason).toBe('balance_blocked')
    expect(settled(course, 'calls', 'b', 6)).toMatchObject({ allowed: false, reason: 'balance_blocked' })
    expect(settled(course, 'calls', 'b', 5)).toMatchObject({
      allowed: true,
      chargedCredits: 5,
      fundingBalanceRemaining: 0,
    })
    expect(credits(course)).toMatchObject({ remaining: 0, unfundedCredits: 0, creditsUsed: 10 })
  })

  test('of a balance itself, likewise', () => {
    const quota = [{ endUsage: 8, name: 'low', quotaUsageLevel: 'Critical' as const }]
    const course = courseOf([balance('credits', { initialCreditAmount: 10, usageQuota: quota })], now)
    held(course, 'credits', 'a', 5)
    held(course, 'credits', 'b', 5)
    settled(course, 'credits', 'a', 5)
    expect(settled(course, 'credits', 'b', 6).reason).toBe('balance_blocked')
    expect(settled(course, 'credits', 'b', 5)).toMatchObject({ allowed: true, chargedCredits: 5 })
    expect(credits(course)).toMatchObject({ remaining: 0, unfundedCredits: 0 })
  })

  test('is not spent on what is uploaded meanwhile', () => {
    const course = funded([paid(0, null, 1)], 10)
    held(course, 'calls', 'a', 6)
    report(course, idOf(course, 'calls'), amount(8), now, now)
    expect(credits(course)).toMatchObject({ remaining: 6, unfundedCredits: 4 })
    expect(settled(course, 'calls', 'a', 6)).toMatchObject({ allowed: true, chargedCredits: 6 })
    expect(credits(course)).toMatchObject({ remaining: 0, unfundedCredits: 4 })
  })

  test('a call that takes the priced units before a hold does is asked what any deduction is asked', () => {
    const quota = [{ endUsage: 8, name: 'low', quotaUsageLevel: 'Critical' as const }]
    const course = funded([paid(0, 10, 1), tier(10, null)], 10, { usageQuota: quota })
    held(course, 'calls', 'a', 5)
    held(course, 'calls', 'b', 10)
    settled(course, 'calls', 'a', 5)
    expect(consume(course, idOf(course, 'calls'), amount(3), now)).toMatchObject({
      reason: 'balance_blocked',
      usage: 5,
    })
    expect(credits(course)).toMatchObject({ remaining: 5, unfundedCredits: 0 })
    expect(settled(course, 'calls', 'b', 12)).toMatchObject({ allowed: true, chargedCredits: 5 })
  })

  test('with Volume is the dearest that settling them in any order can cost', () => {
    const tiers = [paid(0, 5, 1), paid(5, null, 3, { baseCredits: 2 })]
    expect(held(funded(tiers, 28, {}, 'Volume'), 'calls', 'a', 10).allowed).toBe(false)
    const course = funded(tiers, 32, {}, 'Volume')
    expect(held(course, 'calls', 'a', 4).allowed).toBe(true)
    expect(held(course, 'calls', 'b', 6).allowed).toBe(true)
    expect(settled(course, 'calls', 'b', 6)).toMatchObject({ allowed: true, chargedCredits: 20 })
    expect(settled(course, 'calls', 'a', 4)).toMatchObject({ allowed: true, chargedCredits: 12 })
    expect(credits(course)).toMatchObject({ remaining: 0, unfundedCredits: 0 })
  })
})
