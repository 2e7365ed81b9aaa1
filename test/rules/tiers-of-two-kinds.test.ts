import { describe, expect, test } from 'vitest'
import type { AddOnFeatureValue } from '../../catalog-schema/add-on.ts'
import type { PlanFeatureValue } from '../../catalog-schema/plan-set.ts'
import { absolute, calls, percent, percentTier, tier, tiersUnder, withAddOn } from '../support/layered-entitlements.ts'

const ofHundred = { ...absolute, value: '100' }

describe('the tiers of a meter whose add-on has bounds of the other kind', () => {
  const cases: [string, Partial<PlanFeatureValue>, Partial<AddOnFeatureValue>, ReturnType<typeof tiersUnder>][] = [
    [
      'Max of a bound by usage keeps the larger of it and what the percentages come to',
      percent,
      { operation: 'Max', usageTiers: [tier(0, 210), tier(0, 10)] },
      [
        [0, 210],
        [210, 250],
        [250, null, 'Deny'],
      ],
    ],
    [
      'Add of a bound by usage adds to what the percentages come to',
      percent,
      { operation: 'Add', usageTiers: [tier(null, 10)] },
      [
        [0, 210],
        [210, 260],
        [260, null, 'Deny'],
      ],
    ],
    [
      'Max of a percentage compares what it comes to with bounds by usage',
      ofHundred,
      { operation: 'Max', usageTiers: [percentTier(0, 110), percentTier(0, 110)] },
      [
        [0, 110],
        [110, 120],
        [120, null, 'Deny'],
      ],
    ],
    [
      'Max of a percentage compares it with a tier of both kinds by what it comes to',
      ofHundred,
      { operation: 'Max', usageTiers: [{ ...percentTier(null, 110), startUsage: 0 }] },
      [
        [0, 110],
        [110, 120],
        [120, null, 'Deny'],
      ],
    ],
    [
      'Add of a value and a bound by usage adds to what the percentages come to of the new value',
      percent,
      { operation: 'Add', value: '250', usageTiers: [tier(null, 10)] },
      [
        [0, 410],
        [410, 510],
        [510, null, 'Deny'],
      ],
    ],
    [
      'Max of a value and a smaller bound by usage keeps what the percentages come to of the larger value',
      percent,
      { operation: 'Max', value: '500', usageTiers: [tier(0, 210)] },
      [
        [0, 400],
        [400, 500],
        [500, null, 'Deny'],
      ],
    ],
    [
      'Max of a percentage leaves bounds by usage where there is no number that it is of',
      { ...absolute, value: 'Infinity' },
      { operation: 'Max', usageTiers: [percentTier(0, 500)] },
      [
        [0, 100],
        [100, 120],
        [120, null, 'Deny'],
      ],
    ],
  ]
  test.each(cases)('%s', (_name, said, changed, expected) => {
    expect(tiersUnder(calls, withAddOn(said, changed))).toEqual(expected)
  })
})
