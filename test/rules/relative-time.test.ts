import { expect, test } from 'vitest'
import { relativeWords } from '../../cli/time-words.ts'

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]

test.each([
  [0, 'now'],
  [999, 'now'],
  [second, 'in 1 second'],
  [-59 * second, '59 seconds ago'],
  [minute, 'in 1 minute'],
  [-89 * minute, '1 hour ago'],
  [-90 * minute, '2 hours ago'],
  [day - 1, 'in 1 day'],
  [6 * day + 11 * hour, 'in 6 days'],
  [7 * day - minute, 'in 7 days'],
  [10 * day - 1, 'in 10 days'],
  [-44 * day, '1 month ago'],
  [364 * day, 'in 12 months'],
  [800 * day, 'in 2 years'],
])('%i ms is %s', (distance, words) => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  expect(relativeWords(now + distance, now)).toBe(words)
})
