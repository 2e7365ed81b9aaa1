import fc from 'fast-check'
import { expect, test } from 'vitest'
import { consumptionPeriods } from '../../../catalog-schema/enumerations.ts'
import { periodAt } from '../../../server/metering/tiers/period.ts'
import { at } from './courses.ts'
import { firstInstant, nextInstant } from './slow-tiers.ts'

test.each([
  ['Hourly', '2026-03-29T01:59:59.999Z', '2026-03-29T01:00Z', '2026-03-29T02:00Z'],
  ['Hourly', '2026-03-29T02:00:00.000Z', '2026-03-29T02:00Z', '2026-03-29T03:00Z'],
  ['Daily', '2024-02-29T23:59:59.999Z', '2024-02-29', '2024-03-01'],
  ['Daily', '2026-03-01T00:00:00.000Z', '2026-03-01', '2026-03-02'],
  ['Weekly', '2026-03-08T23:59:59.999Z', '2026-03-02', '2026-03-09'],
  ['Weekly', '2026-03-09T00:00:00.000Z', '2026-03-09', '2026-03-16'],
  ['Weekly', '2027-01-01T12:00:00.000Z', '2026-12-28', '2027-01-04'],
  ['Weekly', '1969-12-31T23:59:59.999Z', '1969-12-29', '1970-01-05'],
  ['Monthly', '2026-01-31T23:59:59.999Z', '2026-01-01', '2026-02-01'],
  ['Monthly', '2026-02-01T00:00:00.000Z', '2026-02-01', '2026-03-01'],
  ['Monthly', '2028-02-29T12:00:00.000Z', '2028-02-01', '2028-03-01'],
  ['Monthly', '2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01'],
  ['Quarterly', '2026-03-31T23:59:59.999Z', '2026-01-01', '2026-04-01'],
  ['Quarterly', '2026-10-01T00:00:00.000Z', '2026-10-01', '2027-01-01'],
  ['Yearly', '2026-12-31T23:59:59.999Z', '2026-01-01', '2027-01-01'],
  ['Yearly', '2027-01-01T00:00:00.000Z', '2027-01-01', '2028-01-01'],
] as const)('%s: %s is in %s to just before %s', (period, instant, start, end) => {
  expect(periodAt(period, at(instant))).toEqual({ start: at(start), end: at(end) })
})

test('a Lifetime begins and ends never', () => {
  expect(periodAt('Lifetime', at('2026-03-08'))).toEqual({ start: null, end: null })
})

test('every instant is in the period of the calendar, as slowly as that is counted', () => {
  const instants = fc.integer({ min: at('1960-01-01'), max: at('2110-12-31') })
  fc.assert(
    fc.property(fc.constantFrom(...consumptionPeriods), instants, (period, instant) => {
      expect(periodAt(period, instant)).toEqual({
        start: firstInstant(period, instant),
        end: nextInstant(period, instant),
      })
    }),
    { numRuns: 300 },
  )
})

test('the last instant of a period is in it, and its end is in the next', () => {
  const instants = fc.integer({ min: at('1960-01-01'), max: at('2110-12-31') })
  const ending = consumptionPeriods.filter((period) => period !== 'Lifetime')
  fc.assert(
    fc.property(fc.constantFrom(...ending), instants, (period, instant) => {
      const { start, end } = periodAt(period, instant)
      expect(periodAt(period, end! - 1).start).toBe(start)
      expect(periodAt(period, end!).start).toBe(end)
    }),
  )
})
