import { expect, test } from 'vitest'
import { spanAfter } from '../../server/access/test-clock/advancing.ts'

const day = 86_400_000

test.each([
  ['that was quick goes twice as far', { span: day, gone: day, taken: 10, isWhole: true }, 2 * day],
  [
    'that took as long as it may goes as far as that came',
    { span: day, gone: 5_000_001, taken: 120, isWhole: false },
    5_000_001,
  ],
  [
    'that took too long goes half as far, in whole milliseconds',
    { span: day, gone: 5_000_001, taken: 300, isWhole: false },
    2_500_000,
  ],
  [
    'that was quick to come so far goes no further',
    { span: day, gone: 5_000_001, taken: 10, isWhole: false },
    5_000_001,
  ],
  ['that was slow, and whole, does not go further', { span: day, gone: day, taken: 80, isWhole: true }, day],
  ['goes a minute at least', { span: day, gone: 3, taken: 900, isWhole: false }, 60_000],
])('the part after one %s', (_words, part, span) => {
  expect(spanAfter(part)).toBe(span)
})
