import { expect, test } from 'vitest'
import { chooseOffer, isCloned, type NamedOffer } from '../../server/entitlements/cloning/choosing.ts'

const offer = (id: string, status: string, created_at: number): NamedOffer => ({ id, status, created_at })

test.each<[string, NamedOffer[], string | undefined]>([
  ['there is none', [], undefined],
  ['the only one is sold', [offer('a', 'Active', 1)], 'a'],
  ['several are sold: the newest', [offer('a', 'Active', 1), offer('c', 'Active', 3), offer('b', 'Active', 2)], 'c'],
  ['a newer one is a Draft', [offer('a', 'Active', 1), offer('b', 'Draft', 2)], 'a'],
  ['none is sold: the newest Draft', [offer('a', 'Draft', 1), offer('b', 'Draft', 2), offer('c', 'Expired', 3)], 'b'],
  ['two are of one instant: the later id', [offer('a', 'Active', 1), offer('b', 'Active', 1)], 'b'],
  ['none is for sale', [offer('a', 'Suspended', 1), offer('b', 'Cancelled', 2)], undefined],
])('%s', (_when, offers, chosen) => {
  expect(chooseOffer(offers)?.id).toBe(chosen)
})

test('entitlements are made of an offer while it is prepared or sold', () => {
  const statuses = ['Draft', 'Active', 'Suspended', 'Cancelled', 'Expired']
  expect(statuses.filter((status) => isCloned({ status }))).toEqual(['Draft', 'Active'])
})
