import { describe, expect, test } from 'vitest'
import { budgetMillis, longestGap, mostAttempts, planRetry } from '../../server/webhooks/dispatch/retrying.ts'
import { createDraws } from '../support/draws.ts'

const startedAt = Date.UTC(2026, 0, 1)
const retries = Array.from({ length: mostAttempts - 1 }, (_, at) => at + 1)
const fails = (attempts: number, after: number, askedMillis = 0, draw = () => 0) =>
  planRetry({ attempts, startedAt }, startedAt + after, askedMillis, draw)

test('the longest gap before each retry doubles from 2 s, up to 15 min', () => {
  expect(retries.map((retry) => longestGap(retry) / 1000)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512])
  expect([10, 11, 50].map((retry) => longestGap(retry) / 1000)).toEqual([900, 900, 900])
})

describe('the gap before a retry is drawn evenly between none and the longest', () => {
  const most = 2000
  /** The Kolmogorov–Smirnov distance that even draws exceed once in 100 times. */
  const critical = 1.628 / Math.sqrt(most)

  test.each(retries)('before retry %d', (retry) => {
    const draw = createDraws(retry)
    const gaps = Array.from({ length: most }, () => fails(retry, 0, 0, draw)! - startedAt).sort((a, b) => a - b)
    const longest = longestGap(retry)
    const distance = gaps.reduce((widest, gap, at) => {
      const even = gap / longest
      return Math.max(widest, even - at / most, (at + 1) / most - even)
    }, 0)
    expect(distance).toBeLessThan(critical)
    expect(gaps[0]).toBeGreaterThanOrEqual(0)
    expect(gaps.at(-1)).toBeLessThanOrEqual(longest)
  })
})

test('the tenth failure is the last, however little time it took', () => {
  expect(retries.map((attempts) => fails(attempts, 0))).toEqual(retries.map(() => startedAt))
  expect(fails(mostAttempts, 0)).toBeNull()
})

test.each([
  ['a gap that ends within the budget is kept', budgetMillis - 4001, 4000, budgetMillis - 1],
  ['one that would end after it ends with it', budgetMillis - 1, 4000, budgetMillis],
  ['what the endpoint asks for, too', 5000, 36_000_000, budgetMillis],
])('%s', (_, after, asked, due) => {
  expect(fails(3, after, asked)).toBe(startedAt + due)
})

test.each([0, 1])('a failure at the end of two hours, or %d ms later, is the last', (late) => {
  expect(fails(1, budgetMillis + late)).toBeNull()
  expect(fails(1, budgetMillis + late, 5000)).toBeNull()
})

test.each([
  ['longer than the gap: as long as was asked for', 0.5, 5000, 5000],
  ['shorter than the gap: the gap', 0.75, 5000, 6000],
  ['not at all: the gap', 0.25, 0, 2000],
])('an endpoint that asks to wait %s', (_, drawn, asked, gap) => {
  expect(fails(3, 1000, asked, () => drawn)).toBe(startedAt + 1000 + gap)
})

test('an instant at which something is due is a whole number of milliseconds', () => {
  expect(fails(4, 0, 0, () => 1 / 3)! % 1).toBe(0)
})
