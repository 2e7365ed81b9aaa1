import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { contract } from '../../server/kit/contract.ts'
import { decimalOf, multiplyDecimals, wireNumber } from '../../server/kit/decimal.ts'
import { csvOf } from '../../server/kit/rest/csv.ts'

const Line = Type.Object({ name: Type.String(), amount: Type.Number() })
const listed = contract({
  name: 'admin.reports.listed',
  method: 'GET',
  path: '/listed',
  access: 'admin.reports:read',
  summary: 'List',
  answer: Type.Object({ paid: Type.Array(Line), owed: Type.Array(Line) }),
  csvLines: ['paid', 'owed'],
})
const csv = (value: { paid?: object[]; owed?: object[] }) =>
  csvOf(listed, { format: 'csv' }, { paid: [], owed: [], ...value })

test.each([
  ['plain', 'plain'],
  ['a, b', '"a, b"'],
  ['say "so"', '"say ""so"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ['', ''],
])('the text %j is the cell %j', (name, cell) => {
  expect(csv({ paid: [{ name, amount: 1 }] })).toBe(`name,amount\r\n${cell},1\r\n`)
})

test('the lists follow each other, their fields in the order of the shape, null an empty cell', () => {
  expect(csv({ paid: [{ amount: -2.5, name: 'a' }], owed: [{ name: 'b', amount: null }] })).toBe(
    'name,amount\r\na,-2.5\r\nb,\r\n',
  )
})

test('a number has all its digits', () => {
  const amount = wireNumber(multiplyDecimals(decimalOf(9_007_199_254_740_991), decimalOf(1.01)))
  expect(csv({ paid: [{ name: 'a', amount }] })).toBe('name,amount\r\na,9097271247288400.91\r\n')
})

test('without lines there are the names of the fields, and nothing is CSV that was not asked for so', () => {
  expect(csv({})).toBe('name,amount\r\n')
  expect(csvOf(listed, {}, { paid: [], owed: [] })).toBeUndefined()
  expect(csvOf({ ...listed, csvLines: undefined } as never, { format: 'csv' }, {})).toBeUndefined()
})
