import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findPlaceNotJson } from '../../cli/catalog-files/json-place.ts'

describe('where a text ceases to be JSON', () => {
  test.each([
    ['[1, 2, ^]'],
    ['{"a": 1, ^}'],
    ['{\n  "a": ^\'A\'\n}'],
    ['{"a": ^NaN}'],
    ['{\n ^# hi\n "a": 1}'],
    ['{\n ^// hi\n "a": 1}'],
    ['{"a" ^1}'],
    ['{^a: 1}'],
    ['{"a": 1} ^x'],
    ['{"a": 1} ^{}'],
    ['[1 ^2]'],
    ['[1^}'],
    ['{"a": ^01}'],
    ['{"a": ^1.}'],
    ['{"a": ^truex}'],
    ['{"a": ^"b\nc"}'],
    ['{"a": ^"\\x"}'],
    ['[^,1]'],
    ['^a: 1'],
    ['{"a": ^\u00a01}'],
    ['{"a": [1, {"b": null}^'],
  ])('%j', (marked) => {
    const text = marked.replace('^', '')
    expect(() => JSON.parse(text)).toThrow()
    expect(findPlaceNotJson(text)).toBe(marked.indexOf('^'))
  })

  test('of JSON, nowhere before its end', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent)
        expect(findPlaceNotJson(text)).toBe(text.length)
      }),
    )
  })
})
