import { expect, test } from 'vitest'
import { changedFields } from '../../server/kit/changed-fields.ts'
import { parseExactly } from '../../server/kit/decimal.ts'

type Fields = Record<string, unknown>

test.each<[string, unknown, unknown, Fields, Fields]>([
  ['nothing', { a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 }, {}, {}],
  ['a field', { a: 1, b: 2 }, { a: 1, b: 3 }, { '/b': 2 }, { '/b': 3 }],
  ['a field inside another', { a: { b: 1, c: 2 } }, { a: { b: 5, c: 2 } }, { '/a/b': 1 }, { '/a/b': 5 }],
  ['a field that came', { a: 1 }, { a: 1, b: 2 }, {}, { '/b': 2 }],
  ['a field that went', { a: 1, b: 2 }, { a: 1 }, { '/b': 2 }, {}],
  ['a field that was null and is absent', { a: null }, {}, {}, {}],
  ['a field that became null', { a: 1 }, { a: null }, { '/a': 1 }, { '/a': null }],
  ['an object that became a text', { a: { b: 1 } }, { a: 'b' }, { '/a': { b: 1 } }, { '/a': 'b' }],
  ['names that a pointer escapes', { 'a/b~': 1 }, { 'a/b~': 2 }, { '/a~1b~0': 1 }, { '/a~1b~0': 2 }],
  ['a list of texts, as one value', { a: ['x'] }, { a: ['y', 'x'] }, { '/a': ['x'] }, { '/a': ['y', 'x'] }],
  [
    'a list of objects, place by place',
    { a: [{ n: 1 }, { n: 2 }] },
    { a: [{ n: 1 }, { n: 3 }, { n: 4 }] },
    { '/a/1/n': 2 },
    { '/a/1/n': 3, '/a/2': { n: 4 } },
  ],
  ['a list that was emptied', { a: [{ n: 1 }] }, { a: [] }, { '/a': [{ n: 1 }] }, { '/a': [] }],
])('%s', (_what, before, after, replaced, now) => {
  expect(changedFields(before, after)).toEqual({ before: replaced, after: now })
})

test('a number with more digits than a double has is one value', () => {
  const of = (text: string) => parseExactly(`{"price":${text}}`)
  const { before, after } = changedFields(of('0.10000000000000000001'), of('0.10000000000000000002'))
  expect(JSON.stringify([before, after])).toBe('[{"/price":0.10000000000000000001},{"/price":0.10000000000000000002}]')
})
