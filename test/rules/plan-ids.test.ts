import { expect, test } from 'vitest'
import { assignPlanIds } from '../../server/catalog/plan-sets/plan-ids.ts'

const [a, b] = ['aaaaaaaa-0000-7000-8000-000000000001', 'bbbbbbbb-0000-7000-8000-000000000002']
const stored = [
  { id: a, name: 'Free' },
  { id: b, name: 'Pro' },
]
const assign = (given: { id?: string | null; name: string }[]) => {
  let made = 0
  const { ids, errors } = assignPlanIds(given, stored, () => `new-${++made}`)
  return { ids: Object.fromEntries(ids), errors }
}

test.each([
  ['a plan keeps its id by name', [{ name: 'Pro' }], { Pro: b }],
  ['a plan that nobody had gets a new id', [{ name: 'Team' }], { Team: 'new-1' }],
  ['a plan renamed under its id keeps the id', [{ id: b, name: 'Business' }], { Business: b }],
  ['an id is told without regard to letter case', [{ id: b.toUpperCase(), name: 'Pro' }], { Pro: b }],
  ['null says nothing of the id', [{ id: null, name: 'Free' }], { Free: a }],
  [
    'a name whose old plan was renamed gets a new id, whatever the order',
    [{ name: 'Pro' }, { id: b, name: 'Business' }],
    { Business: b, Pro: 'new-1' },
  ],
  [
    'two plans swap names under their ids',
    [
      { id: a, name: 'Pro' },
      { id: b, name: 'Free' },
    ],
    { Pro: a, Free: b },
  ],
])('%s', (_sentence, given, ids) => {
  expect(assign(given)).toEqual({ ids, errors: [] })
})

test('an id of another set and an id claimed twice are errors that point at it', () => {
  const foreign = 'cccccccc-0000-7000-8000-000000000003'
  const { errors } = assign([
    { id: a, name: 'Free' },
    { id: a, name: 'Basic' },
    { id: foreign, name: 'Pro' },
  ])
  expect(errors).toEqual([
    { pointer: '/plans/1/id', message: 'another plan of this list has that id' },
    { pointer: '/plans/2/id', message: 'no plan of this set has that id' },
  ])
})
