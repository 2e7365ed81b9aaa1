import { expect, test } from 'vitest'
import { decimalOf } from '../../../server/kit/decimal.ts'
import { isTouched, readTiers } from '../../../server/metering/tiers/tier.ts'

test.each<[string, number, number, boolean[]]>([
  ['within a tier', 10, 20, [true, false, false]],
  ['up to its end', 90, 100, [true, false, false]],
  ['past a tier that ends where it starts', 99, 101, [true, false, true]],
  ['from its end on', 100, 101, [false, false, true]],
  ['nowhere', 100, 100, [false, false, false]],
])('usage that goes %s', (_what, from, to, touched) => {
  const tier = (startUsage: number, endUsage: number | null) => ({ startUsage, endUsage, baseCredits: 0 })
  const usageTiers = [tier(0, 100), tier(100, 100), tier(100, null)].map((one) => ({
    ...{ creditsPerUnitOfConsumption: 0, name: null, quotaUsageLevel: 'None', quotaUsagePolicy: 'None' },
    ...one,
  }))
  const tiers = readTiers({ usageTiers } as Parameters<typeof readTiers>[0])
  expect(tiers.map((one) => isTouched(one, decimalOf(from), decimalOf(to)))).toEqual(touched)
})
