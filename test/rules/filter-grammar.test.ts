import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FilterTerm, parseFilter } from '../../server/kit/filter/grammar.ts'
import { FilterRefused } from '../../server/kit/filter/refusal.ts'
import { expectGrowthBelow } from '../support/growth.ts'

/** A term on one line: names, operator, and values with null standing for the bare word. */
const shown = ({ names, operator, values }: FilterTerm) => [
  names.join('|'),
  operator.text,
  ...values.map(({ text, isNull }) => (isNull ? null : text)),
]
const parsed = (text: string) => parseFilter(text).map(shown)

describe('what a filter says', () => {
  test.each<[string, ReturnType<typeof parsed>]>([
    ['', []],
    [' , ,', []],
    ['Title==A', [['Title', '==', 'A']]],
    [' Title == A ', [['Title', '==', 'A']]],
    ['Title==a b  c', [['Title', '==', 'a b  c']]],
    [
      'A==1,,B==2, ',
      [
        ['A', '==', '1'],
        ['B', '==', '2'],
      ],
    ],
    ['Title==C|D', [['Title', '==', 'C', 'D']]],
    ['Title==C | D', [['Title', '==', 'C', 'D']]],
    ['Title==', [['Title', '==', '']]],
    ['Title==C|', [['Title', '==', 'C', '']]],
    ['A===1', [['A', '==', '=1']]],
    ['A!==1', [['A', '!=', '=1']]],
    ['A>==1', [['A', '>=', '=1']]],
    ['A==*b', [['A', '==*', 'b']]],
    ['A==\\*b', [['A', '==', '*b']]],
    ['A==-5', [['A', '==', '-5']]],
    ['A@=a@b.example', [['A', '@=', 'a@b.example']]],
    ['A==x!y=z', [['A', '==', 'x!y=z']]],
    ['(A|B)==3', [['A|B', '==', '3']]],
    ['( A | B ) ==3', [['A|B', '==', '3']]],
    ['A|B==3', [['A|B', '==', '3']]],
    ['(A)==3', [['A', '==', '3']]],
    ['TopComment.Text!@=A', [['TopComment.Text', '!@=', 'A']]],
    ['Text@=(\\|)', [['Text', '@=', '(|)']]],
    ['A==(b', [['A', '==', '(b']]],
    ['A==null', [['A', '==', null]]],
    ['A==NuLl|x', [['A', '==', null, 'x']]],
    ['A==\\null', [['A', '==', 'null']]],
    ['A==*\\NuLl', [['A', '==*', 'NuLl']]],
    ['A==\\\\null', [['A', '==', '\\null']]],
    ['A==nullable', [['A', '==', 'nullable']]],
    ['Text@=*\\,', [['Text', '@=*', ',']]],
    ['Text@=*\\, ', [['Text', '@=*', ',']]],
    ['Text@=*braces\\, comma', [['Text', '@=*', 'braces, comma']]],
    ['Text==Here is\\, another comment', [['Text', '==', 'Here is, another comment']]],
    [
      'Text==Here is \\| a comment|Here is \\| another comment|Here is \\\\\\| another comment(1)',
      [['Text', '==', 'Here is | a comment', 'Here is | another comment', 'Here is \\| another comment(1)']],
    ],
    ['Title@=\\\\', [['Title', '@=', '\\']]],
    ['Title@=a\\b', [['Title', '@=', 'a\\b']]],
    [
      'Title@=\\\\,A==1',
      [
        ['Title', '@=', '\\'],
        ['A', '==', '1'],
      ],
    ],
    ['A==\\=\\=b', [['A', '==', '==b']]],
  ])('%s', (text, terms) => {
    expect(parsed(text)).toEqual(terms)
  })

  test.each('== != > < >= <= @= _= _-= !@= !_= !_-= ==* !=* @=* _=* _-=* !@=* !_=* !_-=*'.split(' '))(
    'the operator %s is read whole and knows what it is',
    (operator) => {
      const [term] = parseFilter(`A${operator}b`)
      expect(shown(term!)).toEqual(['A', operator, 'b'])
      expect(term!.operator.negated).toBe(operator.startsWith('!'))
      expect(term!.operator.ignoresCase).toBe(operator.endsWith('*'))
    },
  )

  test.each([
    '\\==',
    '\\!=',
    '\\>',
    '\\<',
    '\\<=',
    '\\>=',
    '\\@=',
    '\\_=',
    '\\_-=',
    '!\\@=',
    '!\\_=',
    '!\\_-=',
    '\\@=*',
    '\\_=*',
    '\\_-=*',
    '\\==*',
    '\\!=*',
    '!\\@=*',
  ])('the escaped operator %s is a value', (value) => {
    expect(parsed(`Title@=${value} `)).toEqual([['Title', '@=', value.replace('\\', '')]])
  })
})

describe('what a filter cannot say', () => {
  test.each<[string, RegExp]>([
    ['Field', /"Field" at character 1 has no operator/],
    ['A==1, Field', /"Field" at character 6 |"Field" at character 7 /],
    ['==x', /does not start with a field/],
    ['A=1', /no operator/],
    ['A;B', /no operator/],
    ['(A==1', /does not start with a field, or with fields/],
    ['A)==1', /does not start with a field/],
    ['()==1', /does not start with a field/],
    ['(A|)==1', /does not start with a field/],
    ['A|==1', /does not start with a field/],
    ['((A))==1', /does not start with a field/],
    ['(A)(B)==1', /does not start with a field/],
    ['Title==a==b', /second operator ==/],
    ['Title==a>b', /second operator >/],
    ['Title@=x|y_=z', /second operator _=/],
    ['A>>1', /second operator >/],
    ['A\\==1', /no operator/],
    ['A==x\\', /ends with a \\ that escapes nothing/],
    ['A==\\\\\\ ', /ends with a \\ that escapes nothing/],
    ['A==a\0b', /NUL/],
    ['A==\ud800', /lone surrogate/],
    [Array(51).fill('A==1').join(), /more than 50 terms/],
    [`A==${Array(101).fill('1').join('|')}`, /more than 100 values/],
    [Array(34).fill('A==1|2|3').join(), /more than 100 values/],
    [`A==${'x'.repeat(4094)}`, /longer than 4096 bytes/],
    [`A==${'é'.repeat(2047)}`, /longer than 4096 bytes/],
  ])('%s', (text, message) => {
    expect(() => parseFilter(text)).toThrow(FilterRefused)
    expect(() => parseFilter(text)).toThrow(message)
  })

  test('the limits themselves are allowed', () => {
    expect(parseFilter(`${Array(50).fill('A==1').join()},,`)).toHaveLength(50)
    expect(parseFilter(`A==${Array(100).fill('1').join('|')}`)[0]!.values).toHaveLength(100)
    expect(parseFilter(`A==${'x'.repeat(4093)}`)).toHaveLength(1)
  })
})

describe('any text', () => {
  const alphabet = [...'AB01 ,|()\\=!<>@_-*;.%é', 'null', '==', '!@=*', '_-=', '\\null', '\ud800', '\0']

  test('is read or refused, never anything else', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...alphabet), { maxLength: 40 }), (parts) => {
        try {
          parseFilter(parts.join(''))
        } catch (error) {
          expect(error).toBeInstanceOf(FilterRefused)
        }
      }),
      { numRuns: 20_000 },
    )
  })

  test('loses the spaces around it as a value, and nothing else', () => {
    expect(parsed(' A == \ufeffb\u2028 , B == c ')).toEqual([
      ['A', '==', '\ufeffb\u2028'],
      ['B', '==', 'c'],
    ])
  })

  test('survives as a value once it is escaped', () => {
    const texts = fc
      .array(fc.constantFrom(...alphabet.slice(0, -2)), { maxLength: 12 })
      .map((parts) => parts.join('').trim())
    const escaped = (text: string) => (/^null$/i.test(text) ? `\\${text}` : text.replace(/[\\,|()=!<>@_*-]/g, '\\$&'))
    fc.assert(
      fc.property(
        fc.array(texts, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('==', '!_-=*', '>'),
        (values, operator) => {
          const [term, ...others] = parsed(`A${operator}${values.map(escaped).join('|')}`)
          expect(others).toEqual([])
          expect(term).toEqual(['A', operator, ...values])
        },
      ),
      { numRuns: 5_000 },
    )
  })

  test.each(['\\', '(', '|', ',', '=', '_-', '!', '==', ' ', '(A|', '\\,'])(
    'of many times %s is read in time that grows with its length',
    (part) => {
      const readOften = (length: number) => () => {
        const text = `A==1${part.repeat(length / part.length)}`
        for (let round = 0; round < 50; round++) for (const filter of [text, text.slice(4)]) tryToRead(filter)
      }
      // Four times the length: about 4 when linear, 16 when quadratic.
      expectGrowthBelow(12, readOften(1_000), readOften(4_000))
    },
  )
})

/** Reads a filter, which may be refused in words and in no other way. */
function tryToRead(filter: string): void {
  try {
    parseFilter(filter)
  } catch (error) {
    if (!(error instanceof FilterRefused)) throw error
  }
}
