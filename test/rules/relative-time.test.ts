import { expect, test } from 'vitest'
import { relativeWords } from '../../cli/time-words.ts'

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]

test.each([
  [0, 'now'],
  [999, 'now'],
  [second, 'in 1 second'],
  [-59 * second, '59 seconds ago'],
  [minute, 'in 1 minute'],
  [-90 * minute, '1 hour ago'],
  [day - 1, 'in 23 hours'],
  [6 * day + 23 * hour, 'in 6 days'],
  [-45 * day, '1 month ago'],
  [800 * day, 'in 2 years'],
])('%i ms is %s', (distance, words) => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  expect(relativeWords(now + distance, now)).toBe(words)
})
