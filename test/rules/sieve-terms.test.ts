import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holdsText, isOneOf, isText, mostIds } from '../../cli/sieve-terms.ts'
import { parseFilter } from '../../server/kit/filter/grammar.ts'

const texts = fc
  .oneof(fc.string(), fc.constantFrom('null', 'NULL', '\\null', 'a,b==c', 'x|y', '-_*@=', '\\', '(Köln)'))
  .map((text) => text.replaceAll('\0', '').trim())
  .filter((text) => text !== '' && text.isWellFormed())

test('whatever a text holds, the server reads it as one value that means itself', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const value = { text, isNull: false }
      expect(parseFilter(holdsText(['a', 'b'], text))).toEqual([
        {
          names: ['a', 'b'],
          operator: { text: '@=*', comparison: 'contains', negated: false, ignoresCase: true },
          values: [value],
        },
      ])
      expect(parseFilter(isText(['a'], text))).toMatchObject([{ names: ['a'], values: [value] }])
      expect(parseFilter(isOneOf('a', [text, text]))).toMatchObject([{ names: ['a'], values: [value, value] }])
    }),
  )
})

test('one filter takes as many ids as it may be given, beside another term', () => {
  const ids = Array.from({ length: mostIds }, () => crypto.randomUUID())
  const [, term] = parseFilter(`isOffer==false,${isOneOf('customerId', ids)}`)
  expect(term?.values.map(({ text }) => text)).toEqual(ids)
})
