import { describe, expect, test } from 'vitest'
import { parseStrictJson } from '../../catalog-schema/strict-json.ts'
import { formatFile } from '../../cli/catalog-files/formatting/formatting.ts'
import { findRewordedText } from '../../cli/catalog-files/shape-findings.ts'
import { readSnapshot } from '../../cli/catalog-files/snapshot-reading.ts'
import { readCatalogText } from '../../cli/catalog-files/yaml-reading.ts'
import { validateCatalog } from '../../cli/tasks/validate.ts'

const sourceOf = (name: string, text: string) => ({ files: [{ name, bytes: Buffer.from(text) }], refusals: [] })
const found = (name: string, text: string) =>
  validateCatalog(sourceOf(name, text)).findings.map(({ line, col, codeName, message }) => [
    line,
    col,
    codeName,
    message,
  ])
const product = (value: string) =>
  `{"products": [{"productCode": "A", "features": [{"featureCode": "X", "featureType": "Text", "value": ${value}}]}]}`
const plan = (fields: string) => `{"plans": [{"suiteCode": "A", "name": "P", "plans": [{"name": "Pro", ${fields}}]}]}`
const lineItem = (value: string) =>
  `"lineItems": [{"productCode": "A", "featureValues": [{"featureCode": "X", "value": ${value}}]}]`

const manyDigits = [
  '9007199254740993',
  '-9007199254740993',
  '0.12345678901234567891',
  '1.5000000000000000000001e3',
  '1e-400',
]

describe('a number of more digits than a double has', () => {
  test.each(manyDigits)('%s is kept where a field keeps text, as the server keeps it', (written) => {
    for (const text of [product(written), plan(lineItem(written))]) {
      for (const name of ['a.json', 'a.yaml']) {
        const { snapshot, refusals } = readSnapshot(sourceOf(name, text))
        expect(refusals).toEqual([])
        expect(snapshot).toMatchObject(parseStrictJson(Buffer.from(text)) as object)
      }
    }
    for (const name of ['a.json', 'a.yaml']) expect(found(name, product(written))).toEqual([])
  })

  test.each([
    ['a number', plan('"monthlyPrice": 9007199254740993')],
    ['text, but no number', '{"products": [{"productCode": 9007199254740993}]}'],
    ['nothing', '{"products": [{"productCode": "A", "features": {"value": 9007199254740993}}]}'],
    ['no text of a catalog', '{"references": {"value": 9007199254740993}}'],
  ])('is refused where a field holds %s', (_name, text) => {
    const [first] = found('a.json', text).filter(([, , codeName]) => codeName === 'file.lost-digits')
    expect(first?.[1]).toBe(text.indexOf('9007199254740993') + 1)
    expect(first?.[3]).toContain('would be kept as 9007199254740992 and lose digits')
  })

  test.each([
    [
      'in a field of text',
      '{"products": [{"productCode": 9007199254740993}]}',
      " shorten it. For text write '9007199254740993'.",
    ],
    ['in a field of a number, where text is refused, too', plan('"monthlyPrice": 9007199254740993'), ' shorten it.'],
  ])('is advised to be quoted only where that will do: %s', (_name, text, advice) => {
    const messages = found('a.json', text).map(([, , , message]) => message)
    expect(messages).toContainEqual(`9007199254740993 would be kept as 9007199254740992 and lose digits;${advice}`)
  })

  test.each(['+9007199254740993', '.12345678901234567891', '0x20000000000001', '1E-400'])(
    '%s is refused, as what is kept would be written otherwise',
    (written) => {
      const text = product(written)
      const message = expect.stringContaining(`${written} would be kept as`)
      expect(found('a.yaml', text)).toEqual([[1, text.indexOf(written) + 1, 'file.lost-digits', message]])
    },
  )

  test('is text when the file is formatted', () => {
    const reading = readCatalogText(product('9007199254740993'), 'json')
    expect(findRewordedText(reading)).toBeUndefined()
    expect(formatFile('a.json', reading)).toEqual({ text: expect.stringContaining('"value": "9007199254740993"') })
  })

  test('is refused wherever it may not stand, however often it stands as text', () => {
    const values = Array.from(
      { length: 300 },
      (_, index) => `{"featureCode": "X${index}", "value": 0.12345678901234567891}`,
    )
    const text = plan(
      `"lineItems": [{"productCode": "A", "featureValues": [${values}]}], "monthlyPrice": 9007199254740993`,
    )
    expect(readCatalogText(text, 'json').refusals).toMatchObject([{ rule: 'lost-digits' }])
  })
})
