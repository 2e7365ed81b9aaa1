import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Lexer } from 'yaml'
import { canonicalItem } from '../../catalog-schema/canonical.ts'
import { kinds, sectionOf } from '../../catalog-schema/order.ts'
import { formatFile } from '../../cli/catalog-files/formatting/formatting.ts'
import { locateItems } from '../../cli/catalog-files/located-items.ts'
import { itemChecks } from '../../cli/catalog-files/shape-findings.ts'
import { readSnapshot, readSourceFile } from '../../cli/catalog-files/snapshot-reading.ts'
import { layOutOddly, type OddFile, writableCatalogs } from '../support/odd-layouts.ts'

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

describe('any catalog that is laid out oddly', () => {
  test('keeps its meaning and its comments, and is formatted once and for all', () => {
    fc.assert(
      fc.property(writableCatalogs(), fc.integer(), (catalog, seed) => {
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
