import { expect, test } from 'vitest'
import type { AddOnFeatureValue } from '../../catalog-schema/add-on.ts'
import type { PlanFeatureValue } from '../../catalog-schema/plan-set.ts'
import { absolute, calls, percent, tier, tiersUnder, withAddOn } from '../support/layered-entitlements.ts'

const endless: Partial<PlanFeatureValue> = { enforcementType: 'TieredAbsolute', usageTiers: [tier(0, null)] }

type Bounds = ReturnType<typeof tiersUnder>
const upTo = (first: number, second: number): Bounds => [
  [0, first],
  [first, second],
  [second, null, 'Deny'],
]

const cases: [string, Partial<PlanFeatureValue>, Partial<AddOnFeatureValue>, Bounds][] = [
  ['a value sets its end', { value: '40' }, { value: '7' }, [[0, 7]]],
  ['a value moves tiers up until the first ends at it', absolute, { value: '500' }, upTo(500, 520)],
  ['a value moves tiers down, too', absolute, { value: '7' }, upTo(7, 27)],
  ['a value moves percentages of it', percent, { value: '500' }, upTo(400, 500)],
  ['no limit leaves one tier without end', absolute, { value: 'Infinity' }, [[0, null]]],
  ['a value ends what has none', { ...endless, value: 'Infinity' }, { value: '500' }, [[0, 500]]],
  ['a value leaves a tier without end where the value is not its limit', endless, { value: '500' }, [[0, null]]],
  ['what is no number leaves tiers', absolute, { value: 'many' }, upTo(100, 120)],
  ['nothing leaves tiers', absolute, {}, upTo(100, 120)],
  [
    'tiers puts them in place of a value',
    { value: '40' },
    { usageTiers: [tier(0, 7), tier(7, 9)] },
    [
      [0, 7],
      [7, 9],
    ],
  ],
  [
    'tiers puts them in place of all, whatever the value',
    absolute,
    { value: '500', usageTiers: [tier(0, 7)] },
    [[0, 7]],
  ],
]

test.each(cases)('Replace of %s', (_name, said, changed, expected) => {
  expect(tiersUnder(calls, withAddOn(said, changed))).toEqual(expected)
})
