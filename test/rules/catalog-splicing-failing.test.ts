import { expect, test } from 'vitest'
import { exportedText, planExport } from '../support/exported-text.ts'

// A key on a line of its own is no place to put a field behind: the text does not read back, and the item is written anew.
const odd = (code: string) => `  - ? productCode\n    : ${code} # the code\n    name: old\n`
const plain = (code: string) => `  - productCode: ${code} # the code\n    name: old # the name\n`
const changed = (codes: string) => ({
  products: [...codes].map((productCode) => ({ productCode, name: 'new', externalId: 'x' })),
})

test('where the edits of some items fail, they alone are named, and written anew by force', () => {
  const plan = planExport(`products:\n${[plain('A'), odd('B'), plain('C'), odd('D'), plain('E')].join('')}`, {
    ...changed('ABCDE'),
    featureCatalog: [{ productCode: 'A', featureCode: 'F', name: 'F' }],
  })
  expect(plan.conflicts.map(({ message }) => message)).toEqual(
    ['B', 'D'].map(
      (code) => `product:${code} can only be written anew as a whole, which would lose the comments in it.`,
    ),
  )
  const kept = (code: string) => `  - productCode: ${code} # the code\n    name: new # the name\n    externalId: x\n`
  const text = plan.writes[0]!.text
  for (const code of 'ACE') expect(text).toContain(kept(code))
  for (const code of 'BD') expect(text).toContain(`  - productCode: ${code}\n    name: new\n    externalId: x\n`)
  expect(text).toContain('featureCatalog:\n  - productCode: A\n    featureCode: F\n')
})

test('one that has no comment is written anew, and nothing is refused', () => {
  const text = `products:\n${plain('A')}${odd('B').replace(' # the code', '')}`
  expect(exportedText(text, changed('AB'))).toBe(
    'products:\n  - productCode: A # the code\n    name: new # the name\n    externalId: x\n  - productCode: B\n    name: new\n    externalId: x\n',
  )
})

test('one item among thousands is found', () => {
  const codes = Array.from({ length: 2000 }, (_, index) => `P${String(index).padStart(4, '0')}`)
  const text = codes.map((code, index) => (index === 1234 ? odd(code) : plain(code))).join('')
  const products = codes.map((productCode) => ({ productCode, name: 'new', externalId: 'x' }))
  const plan = planExport(`products:\n${text}`, { products })
  expect(plan.conflicts.map(({ message }) => message)).toEqual([expect.stringMatching(/^product:P1234 /)])
})
