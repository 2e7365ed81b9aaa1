import { describe, expect, test } from 'vitest'
import type { UsageTier } from '../../catalog-schema/usage-tier.ts'
import { feature, given, layers, percentTier, plan, tier, tiersUnder } from '../support/layered-entitlements.ts'

const calls = feature('CALLS', { featureType: 'Metered', usageMetric: 'used', value: '200' })
const denied = { quotaUsagePolicy: 'Deny' } as const

describe('a tier that says no start', () => {
  const cases: [string, UsageTier[], ReturnType<typeof tiersUnder>][] = [
    [
      'begins where the one before ends',
      [tier(null, 100), tier(null, 120), tier(null, null, denied)],
      [
        [null, 100],
        [100, 120],
        [120, null, 'Deny'],
      ],
    ],
    [
      'begins where the one before ends by percentage, too',
      [percentTier(null, 80), tier(null, null, denied)],
      [
        [null, 160],
        [160, null, 'Deny'],
      ],
    ],
    [
      'begins with the first unit, where it ends before the one before does',
      [tier(0, 100), tier(null, 50)],
      [
        [0, 100],
        [null, 50],
      ],
    ],
  ]
  test.each(cases)('%s', (_name, tiers, expected) => {
    expect(tiersUnder(calls, layers(null), tiers)).toEqual(expected)
    const enforcementType = tiers.some(({ endPercentage }) => endPercentage) ? 'TieredPercentage' : 'TieredAbsolute'
    const planned = layers(plan([given('CALLS', { enforcementType, usageTiers: tiers })]))
    expect(tiersUnder(calls, planned)).toEqual(expected)
  })
})
