import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lettersOf } from '../../server/entitlements/key-issuance/alphabets.ts'
import { type KeyIngredients, writeKey } from '../../server/entitlements/key-issuance/key-template.ts'
import { checkCharacter } from '../../server/entitlements/key-issuance/luhn-mod-n.ts'
import { keyIssuancePolicyOf } from '../../server/entitlements/policies/effective.ts'

const policyOf = (own: object) => keyIssuancePolicyOf({ key_issuance_policy: JSON.stringify(own) })

/** Draws 0, 1, 2 … of whatever size, over and over. */
function counting() {
  let next = 0
  return (size: number) => next++ % size
}

const write = (own: object, ingredients: Partial<KeyIngredients> = {}) =>
  writeKey(policyOf(own), {
    ...{ year: 2026, productCode: 'cad-7', sequenceNumber: 42, drawBelow: counting() },
    ...ingredients,
  })

describe('a key', () => {
  test.each([
    [{}, '01234-56789-ABCDE-FGHJK'],
    [{ caseStyle: 'Lower' }, '01234-56789-abcde-fghjk'],
    [{ template: '{random:32}' }, '0123456789ABCDEFGHJKMNPQRSTVWXYZ'],
    [{ template: '{random:33}', alphabet: 'Base32' }, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567A'],
    [{ template: '{random:17}', alphabet: 'Hex' }, '0123456789ABCDEF0'],
    [{ template: '{random:11}', alphabet: 'Numeric' }, '01234567890'],
    [{ template: '{random:4}', alphabet: 'Custom', customAlphabet: 'xyz' }, 'XYZX'],
    [{ template: '{random:4}', alphabet: 'Custom', customAlphabet: 'xyz', caseStyle: 'Lower' }, 'xyzx'],
    [{ template: '{random:3}', alphabet: 'Custom', customAlphabet: 'aAbB' }, 'ABA'],
    [{ template: '{random:3}', alphabet: 'Custom', customAlphabet: '😀😁' }, '😀😁😀'],
    [{ template: '{seq:5}' }, '00042'],
    [{ template: '{seq:2}' }, '42'],
    [{ template: '{seq:3}-{seq:2}' }, '042-42'],
    [{ template: '{productCode}/{year}/{seq:4}' }, 'CAD-7/2026/0042'],
    [{ template: 'acme {seq:4} $& $1', caseStyle: 'Lower' }, 'acme 0042 $& $1'],
    [{ template: 'Acme {seq:4}', caseStyle: 'Upper' }, 'ACME 0042'],
    [{ template: '{seq:4}{check}' }, '0042'],
  ])('of %j is %s', (own, expected) => {
    expect(write(own)).toBe(expected)
  })

  test('whose number has more digits than its place is none', () => {
    for (const [sequenceNumber, expected] of [
      [99, 'A-99'],
      [100, undefined],
    ] as const)
      expect(write({ template: 'A-{seq:2}' }, { sequenceNumber })).toBe(expected)
  })

  test('draws from just the letters of its alphabet, whose number it says', () => {
    const sizes: number[] = []
    write({ template: '{random:2}-{seq:2}', alphabet: 'Hex' }, { drawBelow: (size) => sizes.push(size) })
    expect(sizes).toEqual([16, 16])
  })
})

describe('a check character', () => {
  const digits = [...'0123456789']
  test.each([
    // A worked example that is often told, payment card numbers given out for tests, and an IMEI (3GPP TS 23.003 Annex B).
    ['7992739871', '3'],
    ['411111111111111', '1'],
    ['37828224631000', '5'],
    ['49015420323751', '8'],
    ['', '0'],
  ])('over ten digits is that of the standard: %s and %s', (text, check) => {
    expect(checkCharacter(text, digits)).toBe(check)
  })

  test('over other alphabets is what the same sum asks for', () => {
    // By hand, from the right: F is 5, doubled 14 in base 6, so 5; E 4; D 3, doubled 10, so 1; C 2; B 1, doubled 2; A 0: 14, and 4 more are 18.
    expect(checkCharacter('ABCDEF', [...'ABCDEF'])).toBe('E')
  })

  test('closes the sum, so that it can be checked without being taken off', () => {
    fc.assert(
      fc.property(fc.constantFrom('CrockfordBase32', 'Base32', 'Hex', 'Numeric'), fc.string(), (alphabet, text) => {
        const letters = lettersOf(policyOf({ alphabet }))
        const whole = text + checkCharacter(text, letters)
        expect(luhnSum(whole, letters) % letters.length).toBe(0)
      }),
    )
  })

  test('finds every single wrong character over an even alphabet', () => {
    const letters = lettersOf(policyOf({ alphabet: 'Hex' }))
    const text = 'A0-37F'
    for (let at = 0; at < text.length; at++)
      for (const wrong of letters) {
        if (text[at] === '-' || text[at] === wrong) continue
        const typed = text.slice(0, at) + wrong + text.slice(at + 1)
        expect([typed, checkCharacter(typed, letters)]).not.toEqual([typed, checkCharacter(text, letters)])
      }
  })

  test.each([
    [{ template: '{seq:10}-{check}', alphabet: 'Numeric' }, 7992739871, '7992739871-3'],
    [{ template: '{check}-{seq:10}', alphabet: 'Numeric' }, 7992739871, '3-7992739871'],
    [{ template: '{seq:5}{check}{seq:5}{check}', alphabet: 'Numeric' }, 11111, '111115111115'],
    [{ template: 'ACME {seq:10}.{check}', alphabet: 'Numeric' }, 7992739871, 'ACME 7992739871.3'],
    [{ template: '{seq:10}', alphabet: 'Numeric' }, 7992739871, '7992739871'],
  ])(
    'stands where the template of %j says, and counts just letters of the alphabet',
    (own, sequenceNumber, expected) => {
      expect(write({ checksum: 'LuhnModN', ...own }, { sequenceNumber })).toBe(expected)
    },
  )
})

/** The sum of a text with its check character, by the standard's own words: from the right, every second value doubled. */
function luhnSum(text: string, letters: readonly string[]): number {
  const values = [...text].map((character) => letters.indexOf(character)).filter((value) => value >= 0)
  const n = letters.length
  return values
    .reverse()
    .map((value, index) => (index % 2 === 1 ? value * 2 : value))
    .reduce((sum, value) => sum + Math.floor(value / n) + (value % n), 0)
}
