import fc from 'fast-check'
import { dump } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { parse, parseDocument, stringify } from 'yaml'
import { readCatalogText } from '../../cli/catalog-files/yaml-reading.ts'

const runs = { numRuns: 400 }
const read = (text: string, syntax: 'yaml' | 'json' = 'yaml') => readCatalogText(new TextEncoder().encode(text), syntax)

const awkward = [
  '',
  'no',
  '1.10',
  '012',
  '~',
  'null',
  ' x',
  'x ',
  '- a',
  '# c',
  'a: b',
  "it's",
  '"q"',
  '<<',
  '*a',
  '&a',
  '!t',
  '%d',
  '|',
  '@',
  'x\ny\n',
  '\n',
  'a\n\n b',
  '---',
  '...',
  '2024-01-01',
  '.nan',
  'é漢🎉',
  'a\tb',
  '?',
  '[x',
  '{',
  '1e400',
  '`',
  ',',
]
const printable = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .filter(
    (text) => /^[\n\t\x20-\x7e\xa0-\ufefe\u{10000}-\u{10fffd}]*$/u.test(text) && !/[\ufeff\u2028\u2029\x85]/.test(text),
  )
const text = fc.oneof(fc.constantFrom(...awkward), fc.lorem({ maxCount: 12 }), printable)
const key = fc.oneof(
  fc.constantFrom('productCode', 'features', 'name', 'a b', '1', 'true', '~', 'a/b', 'x: y', "'", '#', '12.5'),
  fc.lorem({ maxCount: 1 }),
)
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0.1, 49.99, 1e21),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('mapping'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  mapping: fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
}))
const catalog = fc.dictionary(key, value, { minKeys: 1, maxKeys: 6, noNullPrototype: true })

/** The same document with comments and blank lines between its lines, where no scalar spans lines. */
function withComments(document: string, seed: readonly number[]): string {
  if (/[|>][-+0-9]*$/m.test(document) || /^\s*[^\s#-][^:]*$/m.test(document)) return document
  return document
    .split('\n')
    .flatMap((line, index) => {
      const choice = seed[index % seed.length]
      return choice === 1 ? ['   # a comment: with "things" in it', line] : choice === 2 ? ['', line] : [line]
    })
    .join('\n')
}

const yamlStyle = fc.record({
  indent: fc.constantFrom(2, 3, 4),
  lineWidth: fc.constantFrom(0, 30, 80),
  defaultStringType: fc.constantFrom('PLAIN' as const, 'QUOTE_DOUBLE' as const, 'QUOTE_SINGLE' as const),
  blockQuote: fc.constantFrom(true, false, 'folded' as const, 'literal' as const),
  collectionStyle: fc.constantFrom('any' as const, 'flow' as const),
  indentSeq: fc.boolean(),
})
const jsYamlStyle = fc.record({
  indent: fc.constantFrom(2, 4),
  seqNoIndent: fc.boolean(),
  lineWidth: fc.constantFrom(-1, 30, 80),
  flowLevel: fc.constantFrom(-1, 0, 1, 2),
  quoteStyle: fc.constantFrom('single' as const, 'double' as const),
  forceQuotes: fc.boolean(),
})
const lineBreak = fc.constantFrom('\n', '\r\n')
const seed = fc.array(fc.nat(4), { minLength: 3, maxLength: 12 })

/** What the writers get wrong themselves: js-yaml leaves the text 1e400 bare, yaml folds quoted text into blank lines. */
const unwritable = /^1e400 |^A blank line follows/

function expectAgreement(document: string) {
  // yaml folds quoted text in the middle of a surrogate pair, too: what it writes then is no UTF-8.
  if (!document.isWellFormed()) return
  // Nor does it read all that it writes: text folded far to the right comes out twice.
  if (parseDocument(document).errors.length > 0) return
  const reading = read(document)
  if (reading.refusals.some(({ message }) => unwritable.test(message))) return
  expect(reading.refusals).toEqual([])
  expect(reading.value).toEqual(parse(document, { version: '1.2', schema: 'core', maxAliasCount: 0 }))
}

describe('the fast reading and the yaml package agree on every document that is accepted', () => {
  test('written by the yaml package', () => {
    fc.assert(
      fc.property(catalog, yamlStyle, seed, lineBreak, (item, style, seeds, eol) => {
        expectAgreement(withComments(stringify(item, style), seeds).replaceAll('\n', eol))
      }),
      runs,
    )
  })

  test('written by js-yaml', () => {
    fc.assert(
      fc.property(catalog, jsYamlStyle, seed, lineBreak, (item, style, seeds, eol) => {
        expectAgreement(withComments(dump(item, { ...style, noRefs: true }), seeds).replaceAll('\n', eol))
      }),
      runs,
    )
  })

  /** The yaml package loses the indentation where an outdented comment stands between a key and its value. */
  const outdentedComment = /:[ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*#/
  test('put together from pieces of YAML, well formed or not', () => {
    const piece = fc.constantFrom(
      'a',
      'b: ',
      'c:\n',
      '- ',
      '  ',
      '\n',
      '\n  ',
      '[',
      ']',
      '{',
      '}',
      ', ',
      '"',
      "'",
      '# x\n',
      '1.10',
      'null',
      ': ',
      '? ',
      '|\n',
      '>-\n',
      'x y',
      '\\',
      'true',
      '-',
      ':',
      '#',
      '\n---\n',
      '0x1F',
      '"k": ',
      '\r\n',
    )
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 24 }), (pieces) => {
        const document = `k0: ${pieces.join('')}\n`
        fc.pre(!outdentedComment.test(document))
        const reading = read(document)
        if (reading.refusals.length > 0) return
        const theirs = parseDocument(document, { version: '1.2', schema: 'core' })
        expect(theirs.errors).toEqual([])
        expect(reading.value).toEqual(theirs.toJS())
      }),
      { numRuns: 3_000 },
    )
  })

  test('every node is placed at the text that it was read from', () => {
    fc.assert(
      fc.property(catalog, yamlStyle, (item, style) => {
        const document = stringify(item, style)
        const reading = read(document)
        for (const [pointer, expected] of scalars(reading.value)) {
          const located = reading.locate(pointer)
          expect(located.found).toBe(true)
          if (/[\r\n]/.test(located.source)) continue
          expect(parse(`k: ${located.source}`).k).toStrictEqual(expected)
          expect(reading.lines.lineText(located.value.line).indexOf(located.source, located.value.col - 1)).toBe(
            located.value.col - 1,
          )
        }
      }),
      runs,
    )
  })
})

describe('JSON is a subset of what is read', () => {
  const jsonValue = fc.dictionary(fc.string().filter(acceptedKey), fc.jsonValue({ maxDepth: 6 }), {
    noNullPrototype: true,
  })
  test('every JSON document reads as JSON.parse reads it, however it is indented', () => {
    const acceptable = (document: string) => read(document).refusals.every(({ rule }) => !excluded.has(rule))
    const excluded = new Set(['control-character', 'reserved-key', 'lone-surrogate'])
    fc.assert(
      fc.property(
        jsonValue,
        fc.constantFrom(undefined, 1, 2, '\t'),
        fc.constantFrom('\n', '\r\n'),
        (item, indent, eol) => {
          const document = escapeControls(JSON.stringify(item, null, indent)).replaceAll('\n', eol)
          fc.pre(acceptable(document))
          const reading = read(document, 'json')
          expect(reading.refusals).toEqual([])
          expect(reading.value).toEqual(JSON.parse(document))
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

/** Characters that JSON allows raw and a catalog file only escaped. */
function escapeControls(json: string): string {
  return json.replace(
    /[\x7f-\x9f\ufeff\ufffe\uffff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function acceptedKey(name: string): boolean {
  return name !== '__proto__'
}

function* scalars(node: unknown, pointer = ''): Generator<[string, unknown]> {
  if (typeof node !== 'object' || node === null) yield [pointer, node]
  else {
    for (const [name, child] of Object.entries(node)) {
      yield* scalars(child, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    }
  }
}
