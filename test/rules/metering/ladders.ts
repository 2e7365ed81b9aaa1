import fc from 'fast-check'
import { quotaUsageLevels, quotaUsagePolicies } from '../../../catalog-schema/enumerations.ts'
import type { UsageTier } from '../../../catalog-schema/usage-tier.ts'
import { tier } from '../../support/layered-entitlements.ts'

const fields = fc.record({
  quotaUsagePolicy: fc.oneof(fc.constantFrom(...quotaUsagePolicies), fc.constant('AllowWithOverage' as const)),
  quotaUsageLevel: fc.constantFrom(...quotaUsageLevels),
  baseCredits: fc.constantFrom(0, 0, 1, 2.5),
  creditsPerUnitOfConsumption: fc.constantFrom(0, 0.1, 1, 1.5, 3),
  fundingBalanceMetric: fc.constantFrom('credits', 'credits', 'extra', null),
})

/** How one tier follows the one before it: how far from its end it starts (the first: from 0), and how long it is. */
const step = fc.record({ gap: fc.constantFrom(0, 0, 0, 3), length: fc.integer({ min: 1, max: 9 }), fields })

/**
 * Tiers in any order of writing: up to four that do not overlap, with gaps now and then, the first at 0 or later, the last
 * with or without end.
 */
export const ladder: fc.Arbitrary<UsageTier[]> = fc
  .tuple(fc.array(step, { maxLength: 4 }), fc.boolean())
  .map(([steps, isEndless]) => {
    let reached = 0
    return steps.map(({ gap, length, fields: told }, index) => {
      const start = reached + gap
      reached = start + length
      const isLast = index === steps.length - 1
      return tier(start === 0 ? null : start, isLast && isEndless ? null : reached, { name: `tier ${index}`, ...told })
    })
  })
  .chain((tiers) => fc.shuffledSubarray(tiers, { minLength: tiers.length }))
