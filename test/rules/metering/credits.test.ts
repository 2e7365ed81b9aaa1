import { describe, expect, test } from 'vitest'
import type { BalanceUsage } from '../../../catalog-schema/metric.ts'
import { decimalText } from '../../../server/kit/decimal.ts'
import { deduct, deposit } from '../../../server/metering/balances/crediting.ts'
import type { Course } from '../../../server/metering/consumption/course.ts'
import { consume } from '../../../server/metering/consumption/deciding.ts'
import { report } from '../../../server/metering/consumption/reporting.ts'
import { settle } from '../../../server/metering/consumption/settling.ts'
import { consumptionOf } from '../../../server/metering/consumption/snapshot.ts'
import { tier } from '../../support/layered-entitlements.ts'
import { amount, at, balance, counting, courseOf, idOf, opened } from './courses.ts'

const credits = (course: Course) => consumptionOf(course, course.named('credits')!, opened)
const opening = (fields: Partial<BalanceUsage>) => {
  const course = courseOf([balance('credits', fields)])
  return { course, id: idOf(course, 'credits') }
}
const entries = (course: Course) => course.entries.map(({ kind, amount }) => `${kind} ${decimalText(amount)}`)
const levels = (course: Course) => course.happenings.map(({ happening }) => happening.data.level)

describe('bands', () => {
  const band = (endUsage: number, quotaUsageLevel: 'Normal' | 'Warning' | 'Critical') => ({
    endUsage,
    name: `below ${endUsage}`,
    quotaUsageLevel,
  })
  test.each([
    [30, 'None', null],
    ['29.999999999', 'Normal', 'below 30'],
    [20, 'Normal', 'below 30'],
    ['19.9', 'Warning', 'below 20'],
    [10, 'Warning', 'below 20'],
  ])('with %s left the one with the lowest threshold is reported', (left, overageSeverityStatus, name) => {
    const usageQuota = [band(20, 'Warning'), band(30, 'Normal')]
    const { course, id } = opening({ initialCreditAmount: 100, usageQuota })
    deduct(course, id, 'Deduction', amount(100), opened)
    deposit(course, id, 'Deposit', amount(left), opened)
    expect(credits(course)).toMatchObject({ overageSeverityStatus, band: name })
  })

  test('a Critical one blocks though a lower one is reported, and whatever is left', () => {
    const { course, id } = opening({ initialCreditAmount: 12, usageQuota: [band(5, 'Warning'), band(10, 'Critical')] })
    expect(consume(course, id, amount(8), opened)).toMatchObject({
      allowed: true,
      remaining: 4,
      quotaUsageLevel: 'Warning',
    })
    expect(consume(course, id, amount(1), opened)).toMatchObject({
      allowed: false,
      reason: 'balance_blocked',
      remaining: 4,
    })
    expect(credits(course)).toMatchObject({ unfundedCredits: 0, lastUnfundedAt: '2026-01-05T00:00:00.000Z' })
    report(course, id, amount(1), opened, opened)
    expect(credits(course)).toMatchObject({ remaining: 4, unfundedCredits: 1 })
    expect(levels(course)).toEqual(['Warning'])
  })

  test('say nothing of a balance without end', () => {
    const { course, id } = opening({ isUnlimitedCredits: true, usageQuota: [band(10, 'Critical')] })
    expect(consume(course, id, amount(1e15), opened)).toMatchObject({
      allowed: true,
      remaining: null,
      limit: null,
      quotaUsageLevel: 'None',
    })
    expect(credits(course)).toMatchObject({
      remaining: null,
      creditsUsed: 1e15,
      cumulativeCreditsUsed: 1e15,
      band: null,
    })
  })
})

describe('a deposit', () => {
  test('adds to what remains, and use is counted anew', () => {
    const { course, id } = opening({ initialCreditAmount: 10 })
    consume(course, id, amount(4), opened)
    deposit(course, id, 'Deposit', amount('2.5'), at('2026-01-06'))
    expect(credits(course)).toMatchObject({
      totalCredits: 8.5,
      creditsUsed: 0,
      remaining: 8.5,
      cumulativeCreditsUsed: 4,
      lastDeposit: '2026-01-06T00:00:00.000Z',
    })
    expect(entries(course)).toEqual(['Initial 10', 'Consumption -4', 'Deposit 2.5'])
  })

  test('leaves what was unfunded as it is', () => {
    const { course, id } = opening({ initialCreditAmount: 1 })
    report(course, id, amount(5), opened, opened)
    deposit(course, id, 'Deposit', amount(10), opened)
    expect(credits(course)).toMatchObject({ remaining: 10, unfundedCredits: 4 })
  })

  test('of a balance without end waives what was consumed beyond it', () => {
    const { course, id } = opening({ isUnlimitedCredits: true, initialCreditAmount: 1 })
    consume(course, id, amount(5), opened)
    deposit(course, id, 'Deposit', amount(10), opened)
    expect(entries(course)).toEqual(['Initial 1', 'Consumption -5', 'Waived 4', 'Deposit 10'])
  })
})

describe('a balance that fills itself', () => {
  const filled = (fields: Partial<BalanceUsage>) =>
    opening({ initialCreditAmount: 10, autoBalanceCronSchedule: '0 0 31 * *', autoBalanceCreditAmount: 5, ...fields })
  test.each([
    ['drops what is left', {}, ['Lapse -10', 'AutoBalance 5'], 5],
    ['keeps it all', { shouldAutoBalanceTransferCurrentCredits: true }, ['AutoBalance 5'], 15],
    [
      'keeps some of it',
      { shouldAutoBalanceTransferCurrentCredits: true, maxAutoBalanceCreditTransferAmount: 3 },
      ['Lapse -7', 'AutoBalance 5'],
      8,
    ],
    [
      'keeps none of it',
      { shouldAutoBalanceTransferCurrentCredits: true, maxAutoBalanceCreditTransferAmount: 0 },
      ['Lapse -10', 'AutoBalance 5'],
      5,
    ],
    ['keeps it only where that is said', { maxAutoBalanceCreditTransferAmount: 3 }, ['Lapse -10', 'AutoBalance 5'], 5],
  ])('%s', (_, fields, moved, remaining) => {
    const { course } = filled(fields)
    settle(course, at('2026-01-31') - 1)
    expect(credits(course).remaining).toBe(10)
    settle(course, at('2026-01-31'))
    expect(entries(course).slice(1)).toEqual(moved)
    expect(credits(course)).toMatchObject({ remaining, creditsUsed: 0, totalCredits: remaining })
  })

  test('waives what was consumed beyond it while it was without end; that is no lapse', () => {
    const { course, id } = filled({ isUnlimitedCredits: true })
    consume(course, id, amount(14), opened)
    settle(course, at('2026-01-31'))
    expect(entries(course)).toEqual(['Initial 10', 'Consumption -14', 'Waived 4', 'AutoBalance 5'])
  })

  test('does so at each time that came, in months that have such a day', () => {
    const { course } = filled({})
    settle(course, at('2026-06-01'))
    const times = course.entries
      .filter(({ kind }) => kind === 'AutoBalance')
      .map(({ occurredAt }) => new Date(occurredAt).toISOString().slice(0, 10))
    expect(times).toEqual(['2026-01-31', '2026-03-31', '2026-05-31'])
  })
})

test('a call that several balances pay for is paid by all of them or by none', () => {
  const paid = (start: number, end: number | null, fundingBalanceMetric: string) =>
    tier(start, end, { quotaUsagePolicy: 'AllowWithOverage', creditsPerUnitOfConsumption: 1, fundingBalanceMetric })
  const course = courseOf([
    counting('calls', [paid(0, 5, 'credits'), paid(5, null, 'extra')]),
    balance('credits', { initialCreditAmount: 10 }),
    balance('extra', { initialCreditAmount: 3 }),
  ])
  const remaining = () =>
    ['credits', 'extra'].map((metric) => consumptionOf(course, course.named(metric)!, opened).remaining)
  const id = idOf(course, 'calls')
  expect(consume(course, id, amount(9), opened)).toMatchObject({
    reason: 'insufficient_credits',
    fundingBalanceMetric: 'extra',
    fundingBalanceRemaining: 3,
  })
  expect(remaining()).toEqual([10, 3])
  expect(consume(course, id, amount(8), opened)).toMatchObject({ allowed: true, chargedCredits: 8 })
  expect(remaining()).toEqual([5, 0])
})

test('a tier that names no balance of the entitlement is not allowed, for nobody pays', () => {
  const tiers = [
    tier(0, null, {
      quotaUsagePolicy: 'AllowWithOverage',
      creditsPerUnitOfConsumption: 1,
      fundingBalanceMetric: 'nothing',
    }),
  ]
  const course = courseOf([counting('calls', tiers)])
  expect(consume(course, idOf(course, 'calls'), amount(1), opened)).toMatchObject({
    reason: 'insufficient_credits',
    fundingBalanceMetric: 'nothing',
    fundingBalanceRemaining: null,
  })
})

test('a balance that is just used up owes nothing, and nothing is waived', () => {
  const { course, id } = opening({ initialCreditAmount: 4 })
  consume(course, id, amount(4), opened)
  settle(course, at('2026-02-01'))
  expect(entries(course)).toEqual(['Initial 4', 'Consumption -4'])
})

test('the initial credits came when the balance was opened, however late it is looked at', () => {
  const course = courseOf([balance('credits', { initialCreditAmount: 10 })], at('2026-02-01'))
  expect(course.entries.map(({ kind, occurredAt }) => [kind, occurredAt])).toEqual([['Initial', opened]])
})

test('a balance that a plan gives more initial credits gets the difference once, and none is taken back', () => {
  const before = courseOf([balance('credits', { initialCreditAmount: 10 })])
  const under = (initialCreditAmount: number, course: Course) => {
    const next = courseOf([{ ...balance('credits', { initialCreditAmount }), state: course.named('credits')!.state }])
    return { next, moved: entries(next) }
  }
  const more = under(25, before)
  expect(more.moved).toEqual(['Initial 15'])
  const less = under(5, more.next)
  expect(less.moved).toEqual([])
  expect(under(30, less.next).moved).toEqual(['Initial 5'])
})
