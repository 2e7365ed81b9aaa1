import { describe, expect, test } from 'vitest'
import { isLasting, normalDuration, readDuration } from '../../catalog-schema/duration.ts'
import { normalInstant } from '../../catalog-schema/instant.ts'
import { exactNumber, numericPattern, readDecimal } from '../../catalog-schema/numeric.ts'
import { expectGrowthBelow } from '../support/growth.ts'

describe('a numeric text', () => {
  test.each([
    ['12', 12],
    ['-0.5', -0.5],
    ['0012', 12],
    ['1e3', 1000],
    ['1.50E+2', 150],
    ['12e-1', 1.2],
    ['-0', 0],
    ['0.1', 0.1],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992],
    ['100000000000000000000000', 1e23],
  ])('%s is the number %d', (text, number) => {
    expect(exactNumber(text)).toBe(number)
  })

  test.each(['', ' 12', '12 ', '0x10', '1_000', '1,5', '.5', '5.', '+1', '1e', 'NaN', 'Infinity', '--1', '１２'])(
    '%j is no number',
    (text) => {
      expect(exactNumber(text)).toBeUndefined()
      expect(readDecimal(text)).toBeUndefined()
    },
  )

  test('as a string on the wire it has a small e', () => {
    const written = new RegExp(numericPattern)
    expect(['1e3', '1.5e+2', '12e-1'].every((text) => written.test(text))).toBe(true)
    expect(['1E3', '1.5E+2', '1e', '+1', '.5', '5.'].some((text) => written.test(text))).toBe(false)
  })

  test.each(['9007199254740993', '0.10000000000000000001', '1e400', '1e-400', '123456789012345678'])(
    '%s is a number that no double holds',
    (text) => {
      expect(exactNumber(text)).toBeUndefined()
      expect(readDecimal(text)).toBeDefined()
    },
  )

  test('of a million digits is refused at once', () => {
    const refuseOften = (zeros: number) => () => {
      const texts = [`1${'0'.repeat(zeros)}1`, `0.${'0'.repeat(zeros)}1`]
      for (let round = 0; round < 1000; round++) for (const text of texts) expect(exactNumber(text)).toBeUndefined()
    }
    // A thousand times the digits costs no more than making the text does.
    expectGrowthBelow(20, refuseOften(1000), refuseOften(1_000_000))
  })
})

describe('a duration', () => {
  test.each([
    ['P7D', 'P7D'],
    ['PT1H30M', 'PT1H30M'],
    ['P1Y2M3W4DT5H6M7.5S', 'P1Y2M3W4DT5H6M7.5S'],
    ['7.00:00:00', 'P7D'],
    ['00:10:00', 'PT10M'],
    ['1.02:03:04.5', 'P1DT2H3M4.5S'],
    ['999999999.23:59:59.999', 'P999999999DT23H59M59.999S'],
    ['00:00:00.0070000', 'PT0.007S'],
    ['00:00:00', 'PT0S'],
    ['23:59', 'PT23H59M'],
    ['PT1.5H', 'PT1H30M'],
    ['PT0.75M', 'PT45S'],
    ['P0.5D', 'PT12H'],
    ['P1.5W', 'P1W3DT12H'],
    ['P1Y2M1.25D', 'P1Y2M1DT6H'],
    ['P1DT2H0,1M', 'P1DT2H6S'],
    ['PT0.0000001H', 'PT0S'],
    ['PT5,5S', 'PT5.5S'],
    ['PT1.0000001S', 'PT1S'],
    ['P1DT2H3M4.1234567S', 'P1DT2H3M4.123S'],
  ])('%s is %s', (text, normal) => {
    expect(normalDuration(text)).toBe(normal)
  })

  test.each([
    ...['', 'P', 'PT', 'P1', '7D', 'P1H', 'PT1D', 'P-1D', 'p7d', '24:00:00', '1:60:00', 'PT1M1H'],
    ...[
      'P1.5Y',
      'P1.5M',
      'P1.5DT1H',
      'PT1.5D',
      'P1.5H',
      'PT1.H',
      'PT.5H',
      'P1.5D1W',
      'PT1H0.5H',
      'P2D0.5D',
      'PT5M0.001H',
      'PT1S0.0M',
      'P3D0.01W',
      'P1D0.0D',
      'PT1.5H1.5M',
      'PT1.5.5S',
    ],
  ])('%j is none', (text) => {
    expect(normalDuration(text)).toBeUndefined()
  })

  test.each([
    ['P1Y2M', { months: 14, millis: 0 }],
    ['P1W1DT1S', { months: 0, millis: 691_201_000 }],
    ['PT0.05S', { months: 0, millis: 50 }],
    ['1.00:00:00', { months: 0, millis: 86_400_000 }],
  ])('%s has a calendar part and an exact part', (text, parts) => {
    expect(readDuration(text)).toEqual(parts)
  })

  test.each([
    ['PT0S', false],
    ['P0D', false],
    ['P0Y0M', false],
    ['00:00:00', false],
    ['PT0.999S', false],
    ['PT1S', true],
    ['00:00:01', true],
    ['P1M', true],
  ])('%s lasts: %s', (text, expected) => {
    expect(isLasting(text)).toBe(expected)
  })
})

describe('an instant', () => {
  test.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31t12:00:00z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
    ['2024-02-29T23:59:59.1239-08:00', '2024-03-01T07:59:59.123Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, instant) => {
    expect(normalInstant(text)).toBe(instant)
  })

  test.each([
    '2026-01-31',
    '2026-01-31T12:00:00',
    '2026-01-31 12:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-12-31T23:59:60Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '+12026-01-01T00:00:00Z',
    '2026-01-31T12:00:00+25:00',
  ])('%s is none', (text) => {
    expect(normalInstant(text)).toBeUndefined()
  })
})
