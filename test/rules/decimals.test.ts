import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDecimals,
  compareDecimals,
  decimalOf,
  decimalText,
  multiplyDecimals,
  toDecimal,
  wireNumber,
} from '../../server/kit/decimal.ts'

const sum = (one: string, other: string) => decimalText(addDecimals(toDecimal(one)!, toDecimal(other)!))

describe('exact decimals', () => {
  test.each([
    ['0.1', '0.2', '0.3'],
    ['1', '-1', '0'],
    ['-0.5', '0.25', '-0.25'],
    ['9007199254740993', '1', '9007199254740994'],
    ['1e21', '1', '1000000000000000000001'],
    ['1e-7', '0', '0.0000001'],
    ['100', '0', '100'],
  ])('%s and %s make %s', (one, other, made) => {
    expect(sum(one, other)).toBe(made)
  })

  test('a tenth ten times is one', () => {
    expect(Array.from({ length: 10 }, () => '0.1').reduce(sum, '0')).toBe('1')
  })

  test.each(['', 'a', '1,5', '0x10', '1e1101', '1e-1101', 'Infinity', ' 1'])(
    '"%s" is none that is calculated with',
    (text) => {
      expect(toDecimal(text)).toBeUndefined()
    },
  )

  test('sums and products of whole numbers and of cents are those of whole numbers', () => {
    const whole = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
    const cents = (value: bigint) => ({ units: value, exponent: -2 })
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        expect(decimalText(addDecimals(cents(a), cents(b)))).toBe(decimalText(cents(a + b)))
        expect(decimalText(multiplyDecimals(cents(a), cents(b)))).toBe(decimalText({ units: a * b, exponent: -4 }))
        expect(compareDecimals(cents(a), { units: b * 10n, exponent: -3 })).toBe(a < b ? -1 : a > b ? 1 : 0)
      }),
    )
  })

  test('every finite double is read back from its decimal as itself', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(decimalText(toDecimal(String(value))!))).toBe(value === 0 ? 0 : value)
      }),
    )
  })

  test('a number of the wire has all digits, beyond every double too', () => {
    for (const text of ['12.5', '0.1234567890123456789', `1${'0'.repeat(320)}`, `-1${'0'.repeat(320)}.5`]) {
      const number = wireNumber(toDecimal(text)!)
      expect(JSON.stringify(number)).toBe(text)
      expect(decimalText(decimalOf(number))).toBe(text)
    }
  })
})
