import { describe, expect, test } from 'vitest'
import type { AddOnFeatureValue } from '../../catalog-schema/add-on.ts'
import type { PlanFeatureValue } from '../../catalog-schema/plan-set.ts'
import { type Layers, readLayers, type StoredFeature } from '../../server/entitlements/entitlements/stored.ts'
import { layered } from '../../server/entitlements/plans/layering.ts'
import { withLayers } from '../../server/entitlements/plans/relayering.ts'
import { entitlementRow } from '../support/entitlement-rows.ts'
import { addOn, change, feature, featureUnder, given, layers, plan } from '../support/layered-entitlements.ts'

type Outcome = [value: string | null, isEnabled: boolean]
const outcome = ({ value, isEnabled }: StoredFeature): Outcome => [value, isEnabled]

describe('what a plan makes of a feature', () => {
  const numeric = feature('SEATS', { value: '3' })
  const flag = feature('SEATS', { featureType: 'Boolean', value: 'true' })
  const cases: [string, StoredFeature, Partial<PlanFeatureValue>, Outcome][] = [
    ['its value stands in place of the own one', numeric, { value: '25' }, ['25', true]],
    ['without a value the own one stays', numeric, {}, ['3', true]],
    ['tiers leave the value', numeric, { enforcementType: 'TieredAbsolute' }, ['3', true]],
    ['a percentage is of its value', numeric, { enforcementType: 'TieredPercentage', value: '9' }, ['9', true]],
    ['what is denied is off, without a value', numeric, { enforcementType: 'Denied' }, [null, false]],
    ['a flag that is denied is false', flag, { enforcementType: 'Denied' }, ['false', false]],
    ['what is not included is off, without a value', numeric, { enforcementType: 'NotIncluded' }, [null, false]],
    ['what is off is off under any plan', { ...numeric, isEnabled: false }, { value: '25' }, ['25', false]],
    ['no limit is a value', numeric, { value: 'Infinity' }, ['Infinity', true]],
  ]
  test.each(cases)('%s', (_name, own, said, expected) => {
    expect(outcome(featureUnder(own, layers(plan([given('SEATS', said)]))))).toEqual(expected)
  })

  test('a plan that says nothing of a feature leaves it as it is', () => {
    expect(featureUnder(numeric, layers(plan([given('OTHER', { value: '1' })])))).toEqual(numeric)
    expect(featureUnder(numeric, layers(null))).toEqual(numeric)
  })

  test('a line that does not include its product switches the features of it off', () => {
    const applied = layers(plan([given('SEATS', { value: '25' })], {}, false))
    expect(outcome(featureUnder(numeric, applied))).toEqual([null, false])
  })

  test('the metric that a plan names meters the feature', () => {
    const own = feature('SEATS', { usageMetric: 'seats' })
    expect(featureUnder(own, layers(plan([given('SEATS', { metricName: 'used' })]))).usageMetric).toBe('used')
    expect(featureUnder(own, layers(plan([given('SEATS')]))).usageMetric).toBe('seats')
  })

  test('a line about another product says nothing of this one', () => {
    const applied = plan([], {
      lineItems: [{ productId: 'viewer', included: true, featureValues: [given('SEATS', { value: '9' })] }],
    })
    expect(featureUnder(numeric, layers(applied))).toEqual(numeric)
  })
})

describe('what an add-on makes of a feature', () => {
  const cases: [string, string | null, Partial<AddOnFeatureValue>, string | null][] = [
    ['Replace sets the value', '3', { value: '10' }, '10'],
    ['Replace without a value leaves it', '3', {}, '3'],
    ['Add adds', '3', { operation: 'Add', value: '10' }, '13'],
    ['Add is exact', '0.1', { operation: 'Add', value: '0.2' }, '0.3'],
    ['Add adds what no double holds', '9007199254740993', { operation: 'Add', value: '2' }, '9007199254740995'],
    ['Add of less takes away', '3', { operation: 'Add', value: '-1' }, '2'],
    ['Add to nothing is what is added', null, { operation: 'Add', value: '10' }, '10'],
    ['Add to no limit is no limit', 'Infinity', { operation: 'Add', value: '10' }, 'Infinity'],
    ['no limit added to a limit is no limit', '3', { operation: 'Add', value: 'Infinity' }, 'Infinity'],
    ['what is no number is not added to', 'basic', { operation: 'Add', value: '10' }, 'basic'],
    ['what is no number is not added', '3', { operation: 'Add', value: 'many' }, '3'],
    ['Max keeps the larger that is had', '30', { operation: 'Max', value: '10' }, '30'],
    ['Max keeps the larger that is given', '9', { operation: 'Max', value: '10' }, '10'],
    ['Max compares numbers, not texts', '10', { operation: 'Max', value: '9' }, '10'],
    ['Max keeps the text of equal numbers', '10.0', { operation: 'Max', value: '10' }, '10.0'],
    ['Max with no limit is no limit', '10', { operation: 'Max', value: 'Infinity' }, 'Infinity'],
    ['Max of flags is the true one', 'false', { operation: 'Max', value: 'true' }, 'true'],
    ['Add never takes a flag away', 'true', { operation: 'Add', value: 'false' }, 'true'],
  ]
  test.each(cases)('%s', (_name, value, said, expected) => {
    const applied = layers(null, addOn([change('SEATS', said)]))
    expect(outcome(featureUnder(feature('SEATS', { value }), applied))).toEqual([expected, true])
  })

  test('it goes on from what the plan gives, each add-on from the one before', () => {
    const own = feature('SEATS', { value: '1' })
    const raise = addOn([change('SEATS', { operation: 'Add', value: '10' })])
    const atLeast = addOn([change('SEATS', { operation: 'Max', value: '20' })], { addOnId: 'other' })
    const pro = plan([given('SEATS', { value: '5' })])
    expect(featureUnder(own, layers(pro, raise, atLeast)).value).toBe('20')
    expect(featureUnder(own, layers(pro, atLeast, raise)).value).toBe('30')
  })

  test('it acts on the plans it names alone, and on every one when it names none', () => {
    const own = feature('SEATS', { value: '1' })
    const forTeam = addOn([change('SEATS', { value: '9', planTargets: ['Team', 'Pro'] })])
    expect(featureUnder(own, layers(plan([]), forTeam)).value).toBe('9')
    expect(featureUnder(own, layers(plan([], { planName: 'Free' }), forTeam)).value).toBe('1')
    expect(featureUnder(own, layers(null, forTeam)).value).toBe('1')
  })

  test('it changes features of its own suite alone', () => {
    const elsewhere = addOn([change('SEATS', { value: '9' })], { productIds: ['viewer'] })
    expect(featureUnder(feature('SEATS', { value: '1' }), layers(null, elsewhere)).value).toBe('1')
  })

  test('what the plan leaves out it brings back, what the plan denies stays denied', () => {
    const own = feature('RENDER', { featureType: 'Boolean', value: 'true' })
    const render = addOn([change('RENDER', { value: 'true' })])
    const under = (enforcementType: PlanFeatureValue['enforcementType']) =>
      outcome(featureUnder(own, layers(plan([given('RENDER', { enforcementType })]), render)))
    expect(under('NotIncluded')).toEqual(['true', true])
    expect(under('Denied')).toEqual(['false', false])
    expect(outcome(featureUnder(own, layers(plan([], {}, false), render)))).toEqual(['true', true])
  })

  test('added to what the plan leaves out, an amount is all there is', () => {
    const own = feature('SEATS', { value: '3' })
    const more = addOn([change('SEATS', { operation: 'Add', value: '10' })])
    expect(
      outcome(featureUnder(own, layers(plan([given('SEATS', { enforcementType: 'NotIncluded' })]), more))),
    ).toEqual(['10', true])
  })
})

describe('features that only plan or add-ons bring', () => {
  const seats = feature('SEATS', { value: '3' })
  const brought = feature('EXPORT', { featureType: 'Boolean' })

  test('come after the own ones, with what is said of them', () => {
    const pro = plan([given('EXPORT', { value: 'true' })], { brought: [brought] })
    expect(layered([seats], layers(pro), ['cad']).map(({ featureCode, value }) => [featureCode, value])).toEqual([
      ['SEATS', '3'],
      ['EXPORT', 'true'],
    ])
  })

  test('of an add-on come only under the plans that it changes them on', () => {
    const pack = addOn([change('EXPORT', { value: 'true', planTargets: ['Pro'] })], { brought: [brought] })
    expect(layered([seats], layers(plan([]), pack), ['cad'])).toHaveLength(2)
    expect(layered([seats], layers(plan([], { planName: 'Free' }), pack), ['cad'])).toEqual([seats])
  })

  test('stand back behind own ones, and behind those of the plan', () => {
    const pro = plan([given('SEATS', { value: '5' })], { brought: [{ ...seats, id: 'brought' }] })
    expect(layered([seats], layers(pro), ['cad']).map(({ id }) => id)).toEqual(['id-SEATS'])
  })

  test('keep the id they are known by when the layers change', () => {
    const byPlan = plan([given('EXTRA')], { brought: [feature('EXTRA', { id: 'of the plan' })] })
    const byAddOn = addOn([change('EXTRA')], { brought: [feature('EXTRA', { id: 'of the add-on' })] })
    const before = layers(byPlan, byAddOn)
    const idOf = (applied: Layers) => layered([], applied, ['cad'])[0]!.id
    expect(idOf(before)).toBe('of the plan')
    const after = withLayers(entitlementRow({ layers: JSON.stringify(before) }), layers(null, byAddOn))
    expect(idOf(readLayers(after))).toBe('of the plan')
  })

  test('are gone with their product, as own ones are', () => {
    const pro = plan([given('EXPORT', { value: 'true' })], { brought: [brought] })
    expect(layered([seats], layers(pro), ['viewer'])).toEqual([])
  })
})
