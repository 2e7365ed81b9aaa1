import { expect, test } from 'vitest'
import { exportedText, planExport } from '../support/exported-text.ts'
import { createDice } from '../support/odd-layouts.ts'

const withTags = (list: string) => `products:\n  - productCode: A # k\n    tags: ${list}\n    name: A # n\n`
const tagged = (tags: string[]) => ({ products: [{ productCode: 'A', name: 'A', tags }] })

const inLists: [what: string, given: string, tags: string[], expected: string][] = [
  ['the bracket follows what is left', '[d,\n      g]', ['d'], '[d]'],
  ['and stays behind the last of a line', '[d,\n      e,\n      g]', ['d', 'e'], '[d,\n      e]'],
  ['with its blank', '[ d,\n      g ]', ['d'], '[ d ]'],
  ['and its comma', '[d,\n      g,]', ['d'], '[d,]'],
  ['below a comment', '[a, # about a\n      b]', ['a'], '[a # about a\n      ]'],
  ['below a comment on a line of its own', '[a,\n      # why\n      b]', ['a'], '[a\n      # why\n      ]'],
  ['not below what goes', '[a,\n      b, # about b\n      c]', ['a'], '[a]'],
  ['behind one that comes', '[a, # about a\n      b]', ['a', 'c'], '[a, # about a\n      c]'],
  ['a bracket on its own line stays there', '[a, # about a\n      b\n     ]', ['a'], '[a # about a\n     ]'],
  ['no line of blanks is left', '[\n      a, b, # about b\n      c\n     ]', ['c'], '[\n      c\n     ]'],
]
test.each(inLists)('where elements of a flow list go, %s', (_what, given, tags, expected) => {
  expect(exportedText(withTags(given), tagged(tags))).toBe(withTags(expected))
})

test('where members of a flow mapping go, the brace follows what is left', () => {
  const given = (properties: string) =>
    `products:\n  - productCode: A # k\n    name: A\n    propertyValues: ${properties}\n`
  const environment = { products: [{ productCode: 'A', name: 'A', propertyValues: { p: { value: '1' } } }] }
  expect(exportedText(given('{p: {value: "1"}, # p\n      q: {value: "2"}}'), environment)).toBe(
    given('{p: {value: "1"} # p\n      }'),
  )
})

const withOptions = (list: string) =>
  `featureCatalog:\n  - productCode: A # k\n    featureCode: F\n    name: F\n    enumOptions: ${list}\n`
const optional = (values: string) => ({
  featureCatalog: [
    { productCode: 'A', featureCode: 'F', name: 'F', enumOptions: [...values].map((value) => ({ value })) },
  ],
})

const inOrder: [given: string, values: string, expected: string][] = [
  [
    '[\n      {value: L}, # large\n      {value: S} # small\n      ]',
    'SL',
    '[\n      {value: S}, # small\n      {value: L} # large\n      ]',
  ],
  ['[{value: L}, # large\n      {value: S}]', 'SL', '[{value: S},\n      {value: L} # large\n      ]'],
  [
    '[{value: L}, {value: S}, # small\n      {value: X}]',
    'SXL',
    '[{value: S}, # small\n      {value: X},\n      {value: L}]',
  ],
]
test.each(inOrder)('the elements of %j are put in order with the comments behind them', (given, values, expected) => {
  expect(exportedText(withOptions(given), optional(values))).toBe(withOptions(expected))
})

test('what a comment between elements is about is not guessed where they are put in order', () => {
  const given = '[\n      {value: L},\n      # small\n      {value: S}\n      ]'
  expect(planExport(withOptions(given), optional('SL')).conflicts.length).toBe(1)
})

test('no flow list over several lines is refused, and each comment stays behind its element', () => {
  const dice = createDice(7)
  const names = [...'abcdefghijkl']
  for (let run = 0; run < 400; run++) {
    const old = names.filter(() => dice.oneIn(4))
    if (old.length === 0) continue
    const gap = (name: string) =>
      dice.pick(['', ' ', '\n      ', ` # about ${name}\n      `, ` # about ${name}\n\n      # more\n      `])
    const list = old.map((name, index) => {
      const comma = dice.pick([',', ',', '\n      ,'])
      return name + (index < old.length - 1 || dice.oneIn(3) ? comma : '') + gap(name)
    })
    const given = withTags(`[${gap('all')}${list.join('')}]`)
    const tags = names.filter((name) => (old.includes(name) ? !dice.oneIn(3) : dice.oneIn(10)))
    const plan = planExport(given, tagged(tags))
    expect([given, tags, plan.conflicts]).toEqual([given, tags, []])
    const text = plan.writes[0]?.text ?? given
    for (const name of tags)
      if (given.includes(`# about ${name}\n`)) expect(text).toMatch(new RegExp(`\\b${name}\\s*,? # about ${name}\n`))
  }
})
