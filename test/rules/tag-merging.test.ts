import { expect, test } from 'vitest'
import { explainMerge, planMerge } from '../../server/catalog/tags/merging.ts'

const tag = (id: string, scope = 'Product') => ({ id, scope, name: `tag ${id}` })

test.each([
  ['another of its scope', tag('a'), tag('b'), undefined],
  ['itself', tag('a'), tag('a'), 'itself'],
  ['one of another scope', tag('a'), tag('b', 'Entitlement'), 'one scope'],
])('a tag and %s', (_case, source, kept, words) => {
  const refusal = explainMerge(source, kept)
  if (words === undefined) expect(refusal).toBe(undefined)
  else expect(refusal).toEqual({ pointer: '/intoTagId', message: expect.stringContaining(words) })
})

test.each([
  [[], ['x'], []],
  [['x', 'y'], [], ['x', 'y']],
  [['x', 'y', 'x'], ['y'], ['x']],
  [['x'], ['x'], []],
])('carriers of the source %j and of the kept tag %j: %j gain it', (source, kept, gains) => {
  expect(planMerge({ source, kept })).toEqual(gains)
})
