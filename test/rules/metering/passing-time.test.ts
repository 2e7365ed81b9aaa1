import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BalanceUsage } from '../../../catalog-schema/metric.ts'
import { consume } from '../../../server/metering/consumption/deciding.ts'
import { hold } from '../../../server/metering/consumption/holding.ts'
import { report } from '../../../server/metering/consumption/reporting.ts'
import { dueAt, settle } from '../../../server/metering/consumption/settling.ts'
import { amount, balance, counting, courseOf, idOf, opened } from './courses.ts'
import { ladder } from './ladders.ts'
import { told } from './told-courses.ts'

const day = 86_400_000
const tenths = (most: number) => fc.integer({ min: 1, max: most }).map((count) => count / 10)
const quota = (endUsage: number, quotaUsageLevel: 'Warning' | 'Critical') => ({ endUsage, name: null, quotaUsageLevel })
const sorted = (all: readonly (readonly unknown[])[]) => all.map((one) => one.join(' ')).sort()

describe('time', () => {
  const schedules = ['15 */6 * * *', '30 4 * * 1', '0 0 31 * *', '0 0 29 2 *', '0 0 1 1 *']
  const filled: fc.Arbitrary<Partial<BalanceUsage>> = fc.record({
    initialCreditAmount: fc.constantFrom(0, 12.5),
    usageQuota: fc.constant([quota(5, 'Warning'), quota(2, 'Critical')]),
    autoBalanceCronSchedule: fc.constantFrom(...schedules),
    shouldAutoBalanceTransferCurrentCredits: fc.boolean(),
    maxAutoBalanceCreditTransferAmount: fc.constantFrom(null, 4),
    autoBalanceCreditAmount: fc.constantFrom(1, 7),
  })
  const meters = fc.record({ tiers: ladder, filled, used: tenths(200), spent: tenths(125) })
  const begun = ({ tiers, filled, used, spent }: typeof meters extends fc.Arbitrary<infer T> ? T : never) => {
    const course = courseOf([
      counting('calls', tiers, { consumptionPeriod: 'Daily' }),
      counting('exports', tiers, { consumptionPeriod: 'Lifetime' }),
      balance('credits', filled),
      balance('extra', filled),
    ])
    for (const metric of ['calls', 'exports']) report(course, idOf(course, metric), amount(used), opened, opened)
    consume(course, idOf(course, 'calls'), amount(1), opened)
    hold(course, idOf(course, 'exports'), { id: 'a', amount: amount(1), expiresAt: opened + day }, opened)
    report(course, idOf(course, 'extra'), amount(spent), opened, opened)
    return course
  }

  test('passes alike in one go and in many', () => {
    const pauses = fc.array(fc.integer({ min: 1, max: 8 * day }), { maxLength: 8 })
    fc.assert(
      fc.property(meters, pauses, (given, stops) => {
        const [whole, stepwise] = [begun(given), begun(given)]
        let now = opened
        for (const stop of stops) {
          now += stop
          settle(stepwise, now)
        }
        settle(whole, now)
        const [one, many] = [told(whole, now), told(stepwise, now)]
        expect({ ...many, entries: [], levels: [] }).toEqual({ ...one, entries: [], levels: [] })
        for (const part of ['entries', 'levels'] as const) expect(sorted(many[part])).toEqual(sorted(one[part]))
      }),
      { numRuns: 60 },
    )
  })

  test('changes nothing by itself before it is due, and is due later each time', () => {
    fc.assert(
      fc.property(meters, (given) => {
        const course = begun(given)
        settle(course, opened)
        for (let round = 0; round < 5; round++) {
          const due = Math.min(...course.meters().flatMap((meter) => dueAt(meter) ?? []))
          const before = told(course, due)
          settle(course, due - 1)
          const { entries, levels } = told(course, due)
          expect({ entries, levels }).toEqual({ entries: before.entries, levels: before.levels })
          settle(course, due)
          expect(Math.min(...course.meters().flatMap((meter) => dueAt(meter) ?? []))).toBeGreaterThan(due)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('that is settled twice is settled once', () => {
    const course = courseOf([balance('credits', { autoBalanceCronSchedule: '0 0 * * *', autoBalanceCreditAmount: 5 })])
    settle(course, opened + 3 * day)
    const before = told(course, opened)
    settle(course, opened + 3 * day)
    settle(course, opened + 2 * day)
    expect(told(course, opened)).toEqual(before)
    expect(course.entries).toHaveLength(5)
  })
})
