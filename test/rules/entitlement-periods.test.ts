import { describe, expect, test } from 'vitest'
import { anchorOf, endAfter, renewalOf } from '../../server/entitlements/life/periods.ts'
import { entitlementRow } from '../support/entitlement-rows.ts'

const at = Date.parse
const day = (text: string) => at(`${text}T10:00:00Z`)
const shown = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString().slice(0, 10))

/** The ends that follow one another, each counted from the one before. */
function endsAfter(first: string, anchor: string | null, period: Parameters<typeof endAfter>[2], count: number) {
  const ends = [day(first)]
  for (let index = 0; index < count; index++)
    ends.push(endAfter(ends.at(-1)!, anchor === null ? null : day(anchor), period, 1)!)
  return ends.slice(1).map(shown)
}

describe('the ends of periods', () => {
  test('months are counted from the anchor, so that none is shortened for good by February', () => {
    const ends = ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']
    expect(endsAfter('2027-01-31', '2027-01-31', 'Monthly', 4)).toEqual(ends)
    expect(endsAfter('2026-11-30', '2026-08-31', 'Quarterly', 3)).toEqual(['2027-02-28', '2027-05-31', '2027-08-31'])
    expect(endsAfter('2028-02-29', '2028-02-29', 'Yearly', 4)).toEqual([
      ...['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
    ])
  })

  test('hours, days and weeks are counted from the end before', () => {
    expect(endsAfter('2027-02-27', null, 'Daily', 3)).toEqual(['2027-02-28', '2027-03-01', '2027-03-02'])
    expect(endsAfter('2027-02-27', null, 'Weekly', 2)).toEqual(['2027-03-06', '2027-03-13'])
    expect(endAfter(0, null, 'Hourly', 5)).toBe(5 * 3_600_000)
  })

  test('an end that was given by hand is counted from itself', () => {
    expect(endsAfter('2027-02-15', '2027-01-31', 'Monthly', 2)).toEqual(['2027-03-15', '2027-04-15'])
    expect(endsAfter('2027-02-28', '2027-03-31', 'Monthly', 2)).toEqual(['2027-03-28', '2027-04-28'])
    expect(anchorOf(day('2027-02-28'), null)).toBe(day('2027-02-28'))
    expect(anchorOf(day('2027-02-28'), day('2027-01-31'))).toBe(day('2027-01-31'))
  })

  test('several periods are one step, and a Lifetime has no end', () => {
    expect(shown(endAfter(day('2027-02-28'), day('2027-01-31'), 'Monthly', 13))).toBe('2028-03-31')
    expect(endAfter(day('2027-02-28'), null, 'Lifetime', 1)).toBeNull()
    expect(endAfter(day('2027-02-28'), null, 'Yearly', 2_000_000_000)).toBeNaN()
  })

  test.each([
    ['Hourly', '2027-01-01T00:30:00Z', '2027-01-01T00:00:00Z', '2027-01-01T01:00:00Z'],
    ['Monthly', '2200-07-15T00:00:00Z', '2200-06-30T00:00:00Z', '2200-07-31T00:00:00Z'],
  ])('of an end far in the past only the last %s renewals are made up', (period, now, latestStart, lastEnd) => {
    const row = entitlementRow({
      renewalPolicy: { period, autoRenew: true },
      period_anchor_at: at('1900-01-31T00:00:00Z'),
    })
    let end = at('1900-01-31T00:00:00Z')
    let [start, renewals] = [end, 0]
    while (end <= at(now)) {
      const next = renewalOf(row, end, at(now))
      ;[start, end, renewals] = [next.start, next.end!, renewals + 1]
    }
    expect([start, end].map((instant) => new Date(instant).toISOString())).toEqual(
      [latestStart, lastEnd].map((text) => new Date(text).toISOString()),
    )
    expect(renewals).toBeLessThanOrEqual(1001)
  })
})
