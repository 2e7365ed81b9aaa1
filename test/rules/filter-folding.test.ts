import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldText } from '../../catalog-schema/folding.ts'
import { foldTables } from '../../server/kit/filter/folding.ts'

/** The rule as it is told: each code point alone, when its lower case is one code point. */
function foldOneByOne(text: string) {
  const fold = (character: string) => {
    const lower = character === 'İ' ? 'i' : character.toLowerCase()
    return [...lower].length === 1 ? lower : character
  }
  return [...text].map(fold).join('')
}

test.each([
  ['É', 'é'],
  ['ẞ', 'ß'],
  ['SS', 'ss'],
  ['İ', 'i'],
  ['I', 'i'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['ς', 'ς'],
  ['K', 'k'],
  ['Ǆ', 'ǆ'],
  ['𐐀', '𐐨'],
  ['ı', 'ı'],
])('%s folds to %s', (text, folded) => {
  expect(foldText(text)).toBe(folded)
})

test('every code point folds on its own to one code point, and folding again changes nothing', () => {
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue
    const character = String.fromCodePoint(codePoint)
    const folded = foldText(character)
    if (folded !== foldOneByOne(character) || foldText(folded) !== folded) expect.fail(`U+${codePoint.toString(16)}`)
  }
})

test('neighbours do not matter', () => {
  const texts = fc
    .array(fc.constantFrom(...'ΣσςİıIÉéßẞaA\u0301\u0307 .𐐀'), { maxLength: 12 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(texts, fc.string({ unit: 'binary' })), (text) => {
      expect(foldText(text)).toBe(foldOneByOne(text))
    }),
    { numRuns: 5_000 },
  )
})

test('the tables hold a place each for what changes beyond ASCII, and nothing that SQL would read as syntax', () => {
  const { from, to } = foldTables()
  expect([...from]).toHaveLength([...to].length)
  expect([...from].map(foldText).join('')).toBe(to)
  expect(from + to).toMatch(/^[\p{L}\p{Nl}\p{So}]+$/u)
})
