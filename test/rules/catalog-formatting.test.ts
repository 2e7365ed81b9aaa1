import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Lexer } from 'yaml'
import { canonicalItem } from '../../catalog-schema/canonical.ts'
import { kinds, sectionOf } from '../../catalog-schema/order.ts'
import { itemChecks } from '../../catalog-schema/snapshot.ts'
import { formatFile } from '../../cli/catalog-files/formatting/formatting.ts'
import { locateItems } from '../../cli/catalog-files/located-items.ts'
import { renderFile } from '../../cli/catalog-files/rendering.ts'
import { readSnapshot, readSourceFile } from '../../cli/catalog-files/snapshot-reading.ts'
import { generatedCatalogs } from '../support/generated-catalogs.ts'
import { expectGrowthBelow } from '../support/growth.ts'
import { largeCatalog } from '../support/large-catalog.ts'
import { layOutOddly, type OddFile } from '../support/odd-layouts.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const format = (text: string, name = 'x.yaml') => {
  const reading = readSourceFile({ name, bytes: bytes(text) })
  expect(reading.refusals).toEqual([])
  const formatted = formatFile(name, reading)
  return 'text' in formatted ? formatted.text : formatted
}

/** The comments of a document, as another reader of YAML finds them. */
const commentsOf = (text: string) =>
  [...new Lexer().lex(text)].filter((token) => token.startsWith('#')).map((token) => token.trimEnd())

const meaningOf = (files: readonly OddFile[]) => {
  const reading = readSnapshot({ files: files.map(({ name, text }) => ({ name, bytes: bytes(text) })), refusals: [] })
  expect(reading.refusals).toEqual([])
  return Object.fromEntries(
    locateItems(reading).map(({ kind, key, item }) => {
      itemChecks[kind](item)
      return [key, canonicalItem(kind, item)]
    }),
  )
}

const table: [what: string, given: string, expected: string][] = [
  [
    'sections, items, fields and tags are put in order, comments with what they are about',
    `# yaml-language-server: $schema=x
# the plans
plans: # all of them
- name: Standard   # the only one
  suiteCode: S
  # from low to high
  plans: [{name: B, sortOrder: 2}, {sortOrder: 1, name: A}] # two
# about tags

tags:
# second
- {scope: Product, name: Beta}
- {scope: Product, name: Alpha} # first
# no more
`,
    `# yaml-language-server: $schema=x
# about tags

tags:
  # first
  - scope: Product
    name: Alpha

  # second
  - scope: Product
    name: Beta

# the plans
plans: # all of them
  - suiteCode: S
    name: Standard # the only one
    # from low to high
    plans: # two
      - name: A
        sortOrder: 1
      - name: B
        sortOrder: 2
# no more
`,
  ],
  [
    'the comment at the head of a file stays there, and one blank line of several',
    '\n# ours\n\n\n# the product\nproducts:\n- name: A\n\n\n\n  productCode: A\n\n  description: x',
    '# ours\n\n# the product\nproducts:\n  - productCode: A\n    name: A\n\n    description: x\n',
  ],
  [
    'quotes stay where text could be taken for something else, and only there',
    `products: [{productCode: 'A', productVersion: "1.10", name: "yes", description: 'it is', externalId: "a: b"}]`,
    `products:
  - productCode: A
    productVersion: '1.10'
    name: 'yes'
    description: it is
    externalId: 'a: b'
`,
  ],
  [
    'folded text keeps its lines, and text of several lines is a block',
    'products:\n- productCode: A\n  name: "x\\ny"\n  description: >\n   one\n   two\n\n\n   three\n',
    'products:\n  - productCode: A\n    name: |-\n      x\n      y\n    description: >\n      one\n      two\n\n\n      three\n',
  ],
  [
    'what nobody knows comes last, and what is there twice stays as it is',
    'prices: 1\ntags: [{name: b, scope: Product}, {name: B, scope: Product, z: 1, a: 2, color: null}]\nformatVersion: "1.0"\n',
    `formatVersion: '1.0'

tags:
  - scope: Product
    name: b

  - scope: Product
    name: B
    color: null
    z: 1
    a: 2

prices: 1
`,
  ],
  ['line breaks are those of the first line', 'tags: []\r\nsuites: []\n', 'tags: []\r\n\r\nsuites: []\r\n'],
  ['a file of comments is left as it is', '# nothing\n   # here', '# nothing\n   # here'],
  ['an empty flow collection keeps the comment inside', 'tags: [ # none\n  # yet\n  ]', '# yet\ntags: [] # none\n'],
]

test.each(table)('%s', (_what, given, expected) => {
  expect(format(given)).toBe(expected)
  expect(format(expected)).toBe(expected)
})

test('JSON is indented by two, in the same order, and holds no raw control character', () => {
  const given = '{"products":[{"name":"\\u0085","productCode":"A"}],"tags":[]}'
  const expected = `{
  "tags": [],
  "products": [
    {
      "productCode": "A",
      "name": "\\u0085"
    }
  ]
}
`
  expect(format(given, 'x.json')).toBe(expected)
  expect(format(expected, 'x.json')).toBe(expected)
})

test('what an export writes is in canonical form', () => {
  fc.assert(
    fc.property(generatedCatalogs(), fc.boolean(), (catalog, json) => {
      const name = json ? 'x.json' : 'x.yaml'
      const text = renderFile(name, catalog, 'schema.json')
      expect(format(text, name)).toBe(text)
    }),
    { numRuns: 60 },
  )
})

test('formatting takes time that grows with the file', () => {
  const formatLarge = (items: number) => {
    const text = renderFile('x.yaml', largeCatalog(items), 'x')
    const reading = readSourceFile({ name: 'x.yaml', bytes: bytes(`${text}${'# a comment\n'.repeat(items * 10)}`) })
    return () => expect(formatFile('x.yaml', reading)).toHaveProperty('text')
  }
  expectGrowthBelow(32, formatLarge(100), formatLarge(800))
})

describe('any catalog that is laid out oddly', () => {
  test('keeps its meaning and its comments, and is formatted once and for all', () => {
    fc.assert(
      fc.property(generatedCatalogs(), fc.integer(), (catalog, seed) => {
        const files = layOutOddly(catalog, seed)
        const formatted = files.map(({ name, text }) => ({ name, text: format(text, name) as string }))
        for (const [index, { name, text }] of formatted.entries()) {
          expect(typeof text).toBe('string')
          expect(commentsOf(text).sort()).toEqual(commentsOf(files[index]!.text).sort())
          expect(format(text, name)).toBe(text)
        }
        expect(meaningOf(formatted)).toEqual(meaningOf(files))
        const items = kinds.reduce((sum, kind) => sum + (catalog[sectionOf[kind]]?.length ?? 0), 0)
        expect(Object.keys(meaningOf(formatted)).length).toBe(items)
      }),
      { numRuns: 60 },
    )
  })
})
