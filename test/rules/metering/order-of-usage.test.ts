import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimalText } from '../../../server/kit/decimal.ts'
import { consume, preallocate } from '../../../server/metering/consumption/deciding.ts'
import { report } from '../../../server/metering/consumption/reporting.ts'
import { consumptionOf, usageOf } from '../../../server/metering/consumption/snapshot.ts'
import { tier } from '../../support/layered-entitlements.ts'
import { amount, at, balance, counting, courseOf, idOf, opened, pastAt, wire } from './courses.ts'
import { ladder } from './ladders.ts'

const tenths = (most: number) => fc.integer({ min: 1, max: most }).map((count) => count / 10)

describe('the order of what happens', () => {
  test('changes no total: Sliced, uploads cost what they cost together', () => {
    fc.assert(
      fc.property(ladder, fc.array(tenths(60), { maxLength: 8 }), fc.integer(), (tiers, amounts, seed) => {
        const totals = [amounts, amounts.toSorted((a, b) => ((a * 7919 + seed) % 13) - ((b * 7919 + seed) % 13))].map(
          (order) => {
            const course = courseOf([
              counting('calls', tiers),
              balance('credits', { initialCreditAmount: 20 }),
              balance('extra'),
            ])
            for (const one of order) report(course, idOf(course, 'calls'), amount(one), opened, opened)
            return wire(
              ['credits', 'extra'].map((metric) => consumptionOf(course, course.get(idOf(course, metric)), opened)),
            )
          },
        )
        expect(totals[1]).toEqual(totals[0])
      }),
      { numRuns: 150 },
    )
  })

  test('changes nothing of late usage: each period counts its own', () => {
    const months = ['2026-01-20', '2026-02-10', '2026-03-05'] as const
    const late = fc.array(fc.tuple(fc.constantFrom(...months), tenths(60)), { maxLength: 8 })
    fc.assert(
      fc.property(ladder, late, (tiers, records) => {
        const totals = [records, records.toReversed()].map((order) => {
          const course = courseOf([counting('calls', tiers), balance('credits'), balance('extra')], at('2026-03-06'))
          const id = idOf(course, 'calls')
          for (const [month, one] of order) report(course, id, amount(one), at(month), at('2026-03-06'))
          const past = ['2026-01-01', '2026-02-01'].map((start) =>
            decimalText(pastAt(course, id, at(start))?.usage ?? amount(0)),
          )
          const unfunded = ['credits', 'extra'].map((metric) =>
            decimalText(course.named(metric)!.state.credits!.unfunded),
          )
          return { past, unfunded, usage: wire(usageOf(course, course.get(id), at('2026-03-06'))).usage }
        })
        expect(totals[1]).toEqual(totals[0])
      }),
      { numRuns: 150 },
    )
  })
})

test('of a limit as much is given as fits, whatever the order of the asking', () => {
  fc.assert(
    fc.property(fc.array(tenths(70), { minLength: 1, maxLength: 40 }), (amounts) => {
      const course = courseOf([counting('calls', [tier(0, 10), tier(10, null, { quotaUsagePolicy: 'Deny' })])])
      const id = idOf(course, 'calls')
      const given = amounts.filter((one) => consume(course, id, amount(one), opened).allowed)
      const left = 100 - given.reduce((total, one) => total + Math.round(one * 10), 0)
      expect(left).toBeGreaterThanOrEqual(0)
      expect(wire(usageOf(course, course.get(id), opened)).remaining).toBe(left / 10)
      for (const one of amounts)
        expect(preallocate(course, id, amount(one), opened).allowed).toBe(Math.round(one * 10) <= left)
    }),
  )
})
