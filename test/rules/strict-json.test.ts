import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MalformedJson, parseStrictJson } from '../../catalog-schema/strict-json.ts'
import { expectGrowthBelow } from '../support/growth.ts'

const isLongNumber = /^-?\d[\d.]*(e[+-]?\d+)?$/i
const bytesOf = (text: string) => new TextEncoder().encode(text)
const parse = (text: string) => parseStrictJson(bytesOf(text))

function refusalOf(bytes: Uint8Array) {
  try {
    parseStrictJson(bytes)
  } catch (error) {
    if (error instanceof MalformedJson) return error
    throw error
  }
  throw new Error('was accepted')
}

/** Reads bytes, which may be refused as malformed and in no other way. */
function readOrRefuse(bytes: Uint8Array): void {
  try {
    parseStrictJson(bytes)
  } catch (error) {
    expect(error).toBeInstanceOf(MalformedJson)
  }
}

describe('what strict JSON refuses', () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    ['nothing', '', /not JSON/],
    ['only space', ' \n ', /not JSON/],
    ['two texts', '1 2', /not JSON/],
    ['a trailing comma', '[1,]', /not JSON/],
    ['a comment', '[1] // one', /not JSON/],
    ['a bare word', 'undefined', /not JSON/],
    ['single quotes', "{'a':1}", /not JSON/],
    ['an open string', '"abc', /not JSON/],
    ['an open escape', '"abc\\', /not JSON/],
    ['an unquoted key', '{a:1}', /not JSON/],
    ['a leading zero', '[012]', /not JSON/],
    ['a plus sign', '[+1]', /not JSON/],
    ['hexadecimal', '[0x10]', /not JSON/],
    ['NaN', '[NaN]', /not JSON/],
    ['Infinity', '[-Infinity]', /not JSON/],
    ['a raw newline in a string', '"a\nb"', /not JSON/],
    ['a raw NUL in a string', '"a\0b"', /not JSON/],
    ['a NUL around the text', '1\0', /not JSON/],
    ['a form feed as space', '[1,\f2]', /not JSON/],
    ['an unclosed array', '["é"', /not JSON/],
    ['an unexpected end', '["é",', /not JSON/],
    ['a long number as key', '{12345678901234567890:1}', /not JSON/],
    ['a long number as key, spaced', '{ 12345678901234567890 \r\n\t: 1}', /not JSON/],
    ['a long number without comma', '[12345678901234567890 1]', /not JSON/],
    ['a long number after a sign', '[+12345678901234567890]', /not JSON/],
    ['a long number with a leading zero', '[012345678901234567890]', /not JSON/],
    ['a long number with an open fraction', '[12345678901234567890.]', /not JSON/],
    ['a long number with an open exponent', '[12345678901234567890e]', /not JSON/],
    ['a long number glued to a word', '[12345678901234567890true]', /not JSON/],
    ['a byte order mark', new Uint8Array([0xef, 0xbb, 0xbf, 0x31]), /byte order mark/],
    ['a stray continuation byte', new Uint8Array([0x22, 0x80, 0x22]), /not UTF-8/],
    ['an overlong slash', new Uint8Array([0x22, 0xc0, 0xaf, 0x22]), /not UTF-8/],
    ['an encoded surrogate', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]), /not UTF-8/],
    ['a code point too high', new Uint8Array([0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]), /not UTF-8/],
    ['a cut sequence', new Uint8Array([0x22, 0xe2, 0x82]), /not UTF-8/],
    ['UTF-16', new Uint8Array([0x22, 0x00, 0x61, 0x00, 0x22, 0x00]), /not JSON/],
    ['UTF-16 with its mark', new Uint8Array([0xff, 0xfe, 0x31, 0x00]), /not UTF-8/],
    ['an escaped NUL', '["a\\u0000b"]', /NUL/],
    ['an escaped NUL in a key', '{"a\\u0000b":1}', /NUL/],
    ['an escaped NUL as the whole text', '"\\u0000"', /NUL/],
    ['a lone high surrogate', '["\\ud83d"]', /lone surrogate/],
    ['a lone low surrogate', '["\\uDE00x"]', /lone surrogate/],
    ['surrogates the wrong way round', '["\\ude00\\ud83d"]', /lone surrogate/],
    ['a lone surrogate in a key', '{"\\ud83d":1}', /lone surrogate/],
    ['a key twice', '{"a":1,"a":2}', /the key "a" twice/],
    ['a key twice with the same value', '{"a":1,"a":1}', /the key "a" twice/],
    ['a key twice, once escaped', '{"a":1,"\\u0061":2}', /the key "a" twice/],
    ['a key twice deep inside', '[{"x":{"a":1,"b":{"a":1},"a":2}}]', /the key "a" twice/],
    ['a key twice, the value hiding members', '{"a":{"b":1,"c":2},"a":1}', /the key "a" twice/],
    ['a key twice, spaced', '{"a" : 1 , "a"\n: 2}', /the key "a" twice/],
    ['the empty key twice', '{"":1,"":2}', /the key "" twice/],
    ['an index twice', '{"1":1,"1":2}', /the key "1" twice/],
    ['__proto__', '{"__proto__":{"polluted":true}}', /__proto__/],
    ['__proto__ with a plain value', '{"__proto__":1}', /__proto__/],
    ['__proto__ escaped', '{"\\u005f_proto__":{}}', /__proto__/],
    ['__proto__ deep inside', '[[{"a":{"__proto__":null}}]]', /__proto__/],
    ['an infinite number', '[1e400]', /not finite/],
    ['a negative infinite number', '{"a":-1E+400}', /not finite/],
    ['an infinite number without exponent', `[${'9'.repeat(400)}]`, /not finite/],
    ['65 arrays', `${'['.repeat(65)}${']'.repeat(65)}`, /deeper than 64/],
    ['65 objects', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, /deeper than 64/],
    ['200,000 open arrays', '['.repeat(200_000), /deeper than 64/],
    ['closings that hide the depth', `]]]${'['.repeat(70)}`, /not JSON|deeper/],
  ])('%s', (_what, input, reason) => {
    const refusal = refusalOf(typeof input === 'string' ? bytesOf(input) : input)
    expect(refusal.message).toMatch(reason)
  })
})

describe('what strict JSON accepts', () => {
  test.each<[string, string]>([
    ['64 arrays', `${'['.repeat(64)}${']'.repeat(64)}`],
    ['64 levels of both kinds', `${'[{"a":'.repeat(32)}1${'}]'.repeat(32)}`],
    [
      'long strings with escapes around their end',
      `["${'x'.repeat(37)}\\\\","${'x'.repeat(38)}\\"","${'x'.repeat(39)}\\"","${'x'.repeat(60)}\\\\\\":[","${'\\\\'.repeat(40)}"]`,
    ],
    ['brackets in strings', `["${'[{'.repeat(100)}"]`],
    ['colons and quotes in strings and keys', '{"a:b\\":":":,:\\\\","c":"\\""}'],
    ['a key that ends in a backslash', '{"a\\\\":1,"a":2}'],
    ['a surrogate pair in escapes', '"\\ud83d\\ude00"'],
    ['the text \\u0000, its backslash escaped', '"\\\\u0000"'],
    ['__proto__ as a value', '["__proto__"]'],
    ['constructor and prototype as keys', '{"constructor":{"prototype":{"a":1}}}'],
    ['keys that differ in case', '{"a":1,"A":2}'],
    ['the same key in two objects', '[{"a":1},{"a":2}]'],
    ['minus zero', '-0'],
    ['small and large exponents', '[1e3,1E+3,1e-3,1.5e300,0e999,0.0e-999,1e22,1e23,5e-324]'],
    [
      'the longest shortest doubles',
      '[0.30000000000000004,1.7976931348623157e308,2.2250738585072014e-308,9007199254740992]',
    ],
    ['trailing zeros', '[1.00000000000000000000,100000000000000000000,0.50000000000000000000]'],
    ['every kind of space', ' \t\r\n[ 1 ,\n{ "a" :\tnull } ] '],
  ])('%s', (_what, text) => {
    expect(parse(text)).toEqual(JSON.parse(text))
  })

  test.each<[string, unknown]>([
    ['9007199254740993', '9007199254740993'],
    ['[-9007199254740993, 9007199254740992]', ['-9007199254740993', 9007199254740992]],
    ['{"a":0.1234567890123456789,"b":1}', { a: '0.1234567890123456789', b: 1 }],
    ['[0.10000000000000000555]', ['0.10000000000000000555']],
    ['[1e-400]', ['1e-400']],
    [
      '{"é":12345678901234567890 , "ü":[12345678901234567891]}',
      { é: '12345678901234567890', ü: ['12345678901234567891'] },
    ],
    ['[123456789012345678e-2]', ['123456789012345678e-2']],
    ['{"E":123456789012345678E-2}', { E: '123456789012345678e-2' }],
  ])('a number that a double would round stays its text: %s', (text, value) => {
    expect(parse(text)).toEqual(value)
  })

  test('a refused key leaves no trace on objects made later', () => {
    expect(() => parse('{"__proto__":{"polluted":true}}')).toThrow(MalformedJson)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('against JSON.parse', () => {
  const clean = fc
    .jsonValue({ maxDepth: 8, stringUnit: 'grapheme' })
    .filter((value) => !/\\u0000|\\ud|__proto__/i.test(JSON.stringify(value)))

  test('every value that JSON.stringify writes is read alike, indented or not', () => {
    fc.assert(
      fc.property(clean, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(parse(text)).toEqual(JSON.parse(text))
      }),
      { numRuns: 2_000 },
    )
  })

  test('what strict JSON accepts of damaged texts, JSON.parse accepts and reads alike', () => {
    const damaged = fc
      .tuple(
        clean,
        fc.nat(),
        fc.nat(3),
        fc.constantFrom(
          '',
          '"',
          '\\',
          ':',
          ',',
          '{',
          '}',
          '[',
          ']',
          '1',
          '-',
          'e9',
          '12345678901234567890',
          ' ',
          '\\u0041',
        ),
      )
      .map(([value, at, drop, insert]) => {
        const text = JSON.stringify(value)
        const cut = at % (text.length + 1)
        return text.slice(0, cut) + insert + text.slice(cut + drop)
      })
    fc.assert(
      fc.property(damaged, (text) => {
        let value: unknown
        try {
          value = parse(text.toWellFormed())
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedJson)
          return
        }
        const numbersOf = (_key: string, part: unknown) =>
          typeof part === 'string' && isLongNumber.test(part) ? Number(part) : part
        const rounded = JSON.stringify(value, numbersOf)
        expect(JSON.parse(rounded)).toEqual(JSON.parse(JSON.stringify(JSON.parse(text.toWellFormed()), numbersOf)))
      }),
      { numRuns: 5_000 },
    )
  })

  test('any bytes are read or refused, never anything else', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), readOrRefuse), { numRuns: 5_000 })
  })

  test('every double survives, and every digit a double would lose is kept', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.bigInt(), (double, integer) => {
        expect(parse(`[${double}]`)).toEqual([double + 0])
        expect(BigInt(parse(String(integer)) as number | string)).toBe(integer)
      }),
      { numRuns: 2_000 },
    )
  })
})

test.each<[string, (length: number) => string]>([
  ['a number of many digits', (length) => `[0.${'1'.repeat(length)}]`],
  ['a string of many quotes', (length) => `"${'\\"'.repeat(length)}"`],
  ['many numbers with exponents', (length) => `[${'1e-07,'.repeat(length)}1]`],
  [
    'a key twice after many others',
    (length) => `{${Array.from({ length }, (_, index) => `"${index}":1`).join()},"7":1}`,
  ],
  [
    'many spaces after each of many long numbers',
    (length) =>
      `[${Array(20)
        .fill(`1234567890123456789${' '.repeat(length)}`)
        .join()}]`,
  ],
])('takes time in proportion to its length: %s', (_what, textOf) => {
  const readOften = (length: number) => {
    const bytes = bytesOf(textOf(length))
    return () => {
      for (let round = 0; round < 10; round++) readOrRefuse(bytes)
    }
  }
  // 32 times the length: about 32 when linear, and up to 90 with what memory costs; 1,024 when quadratic.
  expectGrowthBelow(180, readOften(500), readOften(16_000))
})
