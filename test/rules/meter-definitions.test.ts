import { describe, expect, test } from 'vitest'
import type { AddOnFeatureValue } from '../../catalog-schema/add-on.ts'
import type { PlanFeatureValue } from '../../catalog-schema/plan-set.ts'
import {
  absolute,
  bandsUnder,
  calls,
  creditsUnder,
  feature,
  given,
  layers,
  percent,
  percentTier,
  plan,
  tier,
  tiersUnder,
  withAddOn,
} from '../support/layered-entitlements.ts'

const under = (said: Partial<PlanFeatureValue>) => layers(plan([given('CALLS', said)]))

type Bounds = ReturnType<typeof tiersUnder>

describe('the tiers of a meter under a plan', () => {
  const own = [tier(0, 10), tier(10, null)]
  const cases: [string, Partial<PlanFeatureValue>, Bounds][] = [
    [
      "are the plan's own, by usage",
      absolute,
      [
        [0, 100],
        [100, 120],
        [120, null, 'Deny'],
      ],
    ],
    [
      'are worked out of the value, by percentage',
      percent,
      [
        [0, 200],
        [200, 250],
        [250, null, 'Deny'],
      ],
    ],
    ['end at the value where it is all there is', { value: '40' }, [[0, 40]]],
    [
      'are the own ones of a value that is no number',
      { value: 'plenty' },
      [
        [0, 10],
        [10, null],
      ],
    ],
    ['have no end without a limit', { value: 'Infinity' }, [[0, null]]],
    [
      'stay where the plan gives no value',
      {},
      [
        [0, 10],
        [10, null],
      ],
    ],
    ['are those given where no value is, whatever the enforcement is called', { usageTiers: [tier(0, 5)] }, [[0, 5]]],
    ['deny every use of what is denied', { enforcementType: 'Denied' }, [[0, null, 'Deny']]],
    ['deny every use of what is not included', { enforcementType: 'NotIncluded' }, [[0, null, 'Deny']]],
    ['are exact', { enforcementType: 'TieredPercentage', value: '0.3', usageTiers: [percentTier(0, 70)] }, [[0, 0.21]]],
    ['end where they begin of a value below zero', { value: '-5' }, [[0, 0]]],
    [
      'by percentage of less than nothing are of 0, too',
      { enforcementType: 'TieredPercentage', value: '-5', usageTiers: [percentTier(0, 70)] },
      [[0, 0]],
    ],
    [
      'by percentage of nothing are of 0',
      { enforcementType: 'TieredPercentage', usageTiers: [percentTier(0, 70)] },
      [[0, 0]],
    ],
    [
      'keep the bounds that they have where the enforcement reads others',
      { enforcementType: 'TieredPercentage', value: '200', usageTiers: [tier(0, 5), percentTier(50, 100)] },
      [
        [0, 5],
        [100, 200],
      ],
    ],
    [
      'keep their percentages where the enforcement reads usage',
      { enforcementType: 'TieredAbsolute', value: '200', usageTiers: [tier(0, 5), percentTier(50, 100)] },
      [
        [0, 5],
        [100, 200],
      ],
    ],
    [
      'have the bounds that the enforcement reads where both are given',
      { enforcementType: 'TieredPercentage', value: '200', usageTiers: [{ ...percentTier(0, 10), endUsage: 5 }] },
      [[0, 20]],
    ],
    [
      'by percentage of no limit are the first, without end',
      { ...percent, usageTiers: [...percent.usageTiers], value: 'Infinity' },
      [[0, null]],
    ],
  ]
  test.each(cases)('%s', (_name, said, expected) => {
    expect(tiersUnder(calls, under(said), own)).toEqual(expected)
  })

  test("without a plan are the catalog's, worked out of the own value, and end at it where there are none", () => {
    expect(tiersUnder(calls, layers(null), own)).toEqual([
      [0, 10],
      [10, null],
    ])
    expect(tiersUnder({ ...calls, value: '200' }, layers(null), [percentTier(null, 50)])).toEqual([[null, 100]])
    expect(tiersUnder({ ...calls, value: '200' }, layers(null))).toEqual([[0, 200]])
    expect(tiersUnder(calls, layers(null))).toEqual([])
  })

  test('deny every use of a feature that is off, or a flag that is false', () => {
    expect(tiersUnder({ ...calls, isEnabled: false }, layers(null), own)).toEqual([[0, null, 'Deny']])
    const flag = feature('CALLS', { featureType: 'Boolean', value: 'true', usageMetric: 'used' })
    expect(tiersUnder(flag, layers(null), own)).toEqual([
      [0, 10],
      [10, null],
    ])
    expect(tiersUnder(flag, under({ value: 'false' }), own)).toEqual([[0, null, 'Deny']])
  })

  test("are the catalog's where no feature is metered by it", () => {
    expect(tiersUnder({ ...calls, usageMetric: 'other' }, under({ value: '40' }), own)).toEqual([
      [0, 10],
      [10, null],
    ])
  })

  test('follow the feature that the plan meters by it', () => {
    expect(tiersUnder({ ...calls, usageMetric: null }, under({ value: '40', metricName: 'used' }), own)).toEqual([
      [0, 40],
    ])
  })
})

describe('the tiers of a meter under an add-on', () => {
  const cases: [string, Partial<PlanFeatureValue>, Partial<AddOnFeatureValue>, Bounds][] = [
    ['Add to a value moves its end', { value: '40' }, { operation: 'Add', value: '2.5' }, [[0, 42.5]]],
    [
      'Add to tiers moves every bound but the first start',
      absolute,
      { operation: 'Add', value: '50' },
      [
        [0, 150],
        [150, 170],
        [170, null, 'Deny'],
      ],
    ],
    [
      'Add of a bound moves those after it along',
      absolute,
      { operation: 'Add', usageTiers: [tier(0, 50)] },
      [
        [0, 150],
        [150, 170],
        [170, null, 'Deny'],
      ],
    ],
    [
      'Add of two bounds adds each',
      absolute,
      { operation: 'Add', usageTiers: [tier(null, 50), tier(null, 80)] },
      [
        [0, 150],
        [150, 200],
        [200, null, 'Deny'],
      ],
    ],
    [
      'Add to the value of percentages raises them with it',
      percent,
      { operation: 'Add', value: '250' },
      [
        [0, 400],
        [400, 500],
        [500, null, 'Deny'],
      ],
    ],
    [
      'Add of percentages adds to them',
      percent,
      { operation: 'Add', usageTiers: [percentTier(null, 10)] },
      [
        [0, 225],
        [225, 275],
        [275, null, 'Deny'],
      ],
    ],
    ['Add of no limit leaves one tier without end', absolute, { operation: 'Add', value: 'Infinity' }, [[0, null]]],
    [
      'Add never moves a bound below nothing',
      { value: null, ...absolute, usageTiers: [tier(0, 10), tier(10, 30)] },
      { operation: 'Add', value: '-20' },
      [
        [0, 0],
        [0, 10],
      ],
    ],
    [
      'Max raises tiers to a larger end',
      absolute,
      { operation: 'Max', value: '110' },
      [
        [0, 110],
        [110, 130],
        [130, null, 'Deny'],
      ],
    ],
    [
      'Max leaves tiers of a larger end',
      absolute,
      { operation: 'Max', value: '90' },
      [
        [0, 100],
        [100, 120],
        [120, null, 'Deny'],
      ],
    ],
    [
      'Max of bounds keeps the larger of each',
      absolute,
      { operation: 'Max', usageTiers: [tier(0, 110), tier(110, 115)] },
      [
        [0, 110],
        [110, 120],
        [120, null, 'Deny'],
      ],
    ],
    [
      'Max of one end moves what begins there',
      absolute,
      { operation: 'Max', usageTiers: [tier(0, 110)] },
      [
        [0, 110],
        [110, 120],
        [120, null, 'Deny'],
      ],
    ],
    [
      'Max of an end past the next one leaves that nothing',
      absolute,
      { operation: 'Max', usageTiers: [tier(0, 500)] },
      [
        [0, 500],
        [500, 500],
        [500, null, 'Deny'],
      ],
    ],
    [
      'Max without an end takes away what began there',
      absolute,
      { operation: 'Max', usageTiers: [tier(0, null)] },
      [[0, null]],
    ],
    ['Max of a value keeps the larger', { value: '40' }, { operation: 'Max', value: '90' }, [[0, 90]]],
    [
      'Add of bounds to a value makes tiers of it',
      { value: '40' },
      { operation: 'Add', usageTiers: [tier(null, 10)] },
      [[0, 50]],
    ],
    [
      'Add to what is not included is all there is',
      { enforcementType: 'NotIncluded' },
      { operation: 'Add', value: '10' },
      [[0, 10]],
    ],
    [
      'nothing is added to what is denied',
      { enforcementType: 'Denied' },
      { operation: 'Add', value: '10' },
      [[0, null, 'Deny']],
    ],
  ]
  test.each(cases)('%s', (_name, said, changed, expected) => {
    expect(tiersUnder(calls, withAddOn(said, changed))).toEqual(expected)
  })

  test('Add keeps prices, names and policies', () => {
    const priced = tier(0, 10, {
      name: 'Included',
      creditsPerUnitOfConsumption: 0.1,
      quotaUsagePolicy: 'AllowWithOverage',
    })
    expect(
      tiersUnder(
        calls,
        withAddOn({ enforcementType: 'TieredAbsolute', usageTiers: [priced] }, { operation: 'Add', value: '5' }),
      ),
    ).toEqual([[0, 15, 'AllowWithOverage']])
  })
})

describe('a balance under plan and add-ons', () => {
  const cases: [string, Partial<PlanFeatureValue>, Partial<AddOnFeatureValue>, number | 'unlimited'][] = [
    ["starts with the plan's value", { value: '500' }, {}, 500],
    ["starts with the catalog's amount where the plan gives none", {}, {}, 100],
    ['adds exactly', { value: '0.1' }, { operation: 'Add', value: '0.2' }, 0.3],
    ["adds to the catalog's amount where the plan gives none", {}, { operation: 'Add', value: '50' }, 150],
    ['has no end without a limit', { value: 'Infinity' }, {}, 'unlimited'],
    ['starts with nothing where more is taken than there is', { value: '10' }, { operation: 'Add', value: '-15' }, 0],
    ['starts with nothing where it is not included', { enforcementType: 'NotIncluded' }, {}, 0],
    [
      'starts with what is added where it is not included',
      { enforcementType: 'NotIncluded' },
      { operation: 'Add', value: '50' },
      50,
    ],
    ['starts with nothing where it is denied', { enforcementType: 'Denied' }, { operation: 'Add', value: '50' }, 0],
  ]
  test.each(cases)('%s', (_name, said, changed, expected) => {
    expect(creditsUnder(calls, withAddOn(said, changed))).toBe(expected)
  })

  test.each([
    ['not included', { enforcementType: 'NotIncluded' }],
    ['denied', { enforcementType: 'Denied' }],
  ] as const)('is blocked where it is %s', (_name, said) => {
    expect(bandsUnder(calls, under(said))).toEqual([
      { endUsage: Number.MAX_VALUE, name: null, quotaUsageLevel: 'Critical' },
    ])
    expect(bandsUnder(calls, under({ value: '5' }))).toEqual([])
  })

  test("is the catalog's where nobody speaks of it", () => {
    expect(creditsUnder({ ...calls, value: '7' }, layers(null))).toBe(100)
  })
})

describe('bounds that no double holds', () => {
  const digits = '123456789012.123456789'
  const exactly = (bounds: Bounds) => JSON.stringify(bounds)

  test.each([
    ['a value', { value: digits }, `[[0,${digits}]]`],
    [
      'a share of a value',
      { enforcementType: 'TieredPercentage', value: '18014398509481986', usageTiers: [percentTier(0, 50)] },
      '[[0,9007199254740993]]',
    ],
  ] as const)('%s is a bound to its last digit', (_name, said, expected) => {
    expect(exactly(tiersUnder(calls, under(said as Partial<PlanFeatureValue>)))).toBe(expected)
  })

  test('add-ons add to them and keep the larger, exactly', () => {
    const added = withAddOn({ value: digits }, { operation: 'Add', usageTiers: [tier(0, 1)] })
    expect(exactly(tiersUnder(calls, added))).toBe('[[0,123456789013.123456789]]')
    const larger = withAddOn({ value: digits }, { operation: 'Max', usageTiers: [tier(0, 123456789012)] })
    expect(exactly(tiersUnder(calls, larger))).toBe(`[[0,${digits}]]`)
    const moved = withAddOn({ value: digits }, { operation: 'Max', value: '9007199254740993' })
    expect(exactly(tiersUnder(calls, moved))).toBe('[[0,9007199254740993]]')
  })

  test('are the credits that a balance starts with', () => {
    const text = JSON.stringify(creditsUnder(calls, under({ value: digits })))
    expect(text).toBe(digits)
  })
})
