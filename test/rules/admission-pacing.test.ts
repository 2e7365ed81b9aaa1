import { expect, test } from 'vitest'
import { paceMillis, restOf } from '../../server/activations/admission/pacing.ts'

test.each([0, 0.25, 3, paceMillis - 0.5])('an answer that took %d ms is given at the first pace', (elapsed) => {
  expect(elapsed + restOf(elapsed)).toBe(paceMillis)
})

test.each([
  [paceMillis, 2],
  [paceMillis + 1, 2],
  [4 * paceMillis - 1, 4],
])('one that took %d ms is given at pace %d', (elapsed, pace) => {
  expect(elapsed + restOf(elapsed)).toBe(pace * paceMillis)
})
