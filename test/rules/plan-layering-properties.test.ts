import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addOnOperations, enforcementTypes } from '../../catalog-schema/enumerations.ts'
import type { AppliedAddOn, Layers } from '../../server/entitlements/entitlements/stored.ts'
import { layered } from '../../server/entitlements/plans/layering.ts'
import { definitions } from '../../server/entitlements/plans/meter-definitions.ts'
import { addOn, change, feature, given, layers, plan, tier } from '../support/layered-entitlements.ts'

const codes = ['SEATS', 'CALLS', 'EXPORT']
const code = fc.constantFrom(...codes)
const value = fc.oneof(
  fc.integer({ min: 0, max: 1000 }).map(String),
  fc.integer({ min: 0, max: 1000 }).map((cents) => `${cents / 100}`),
  fc.constantFrom('true', 'false', 'Infinity', 'basic'),
)
const maybe = fc.option(value, { nil: null })
const ladder = fc
  .uniqueArray(fc.integer({ min: 1, max: 1000 }), { maxLength: 3 })
  .map((ends) => ends.sort((a, b) => a - b).map((end, index) => tier(ends[index - 1] ?? 0, end)))
const own = fc
  .record({ SEATS: maybe, CALLS: maybe })
  .map(({ SEATS, CALLS }) => [
    feature('SEATS', { value: SEATS }),
    feature('CALLS', { featureType: 'Metered', usageMetric: 'used', value: CALLS }),
  ])
const onPlan = fc.option(
  fc
    .uniqueArray(
      fc.record({
        featureCode: code,
        enforcementType: fc.constantFrom(...enforcementTypes),
        value: maybe,
        usageTiers: ladder,
      }),
      { selector: ({ featureCode }) => featureCode },
    )
    .map((values) =>
      plan(
        values.map((said) => given(said.featureCode, said)),
        { brought: [feature('EXPORT')] },
      ),
    ),
  { nil: null },
)
const changing = fc.record({
  featureCode: code,
  operation: fc.constantFrom(...addOnOperations),
  value: maybe,
  usageTiers: ladder,
  planTargets: fc.constantFrom<string[]>([], ['Pro'], ['Free']),
})
const pack = fc.uniqueArray(changing, { selector: ({ featureCode }) => featureCode }).map((changes) =>
  addOn(
    changes.map((changed) => change(changed.featureCode, changed)),
    { brought: [feature('EXPORT')] },
  ),
)
const packs = fc
  .array(pack, { maxLength: 4 })
  .map((list) => list.map((one, index) => ({ ...one, addOnId: String(index) })))

/** Everything that follows from layers: the features, and how a meter and a balance are defined. */
function whole(features: ReturnType<typeof feature>[], applied: Layers) {
  const meteredUsage = {
    consumptionPeriod: 'Monthly',
    accumulationMethod: 'Sliced',
    usageTiers: [tier(0, 10), tier(10, null)],
  } as const
  const meter = {
    productId: 'cad',
    metricName: 'used',
    meteredUsage: { ...meteredUsage, usageTiers: [...meteredUsage.usageTiers] },
    balanceUsage: null,
  }
  return [layered(features, applied, ['cad']), definitions(features, applied, ['cad'])(meter)]
}

describe('layers', () => {
  test('an add-on that is applied and removed leaves no trace, wherever it stood', () => {
    fc.assert(
      fc.property(own, onPlan, packs, pack, fc.nat(4), (features, applied, others, one, place) => {
        const before = JSON.stringify([features, applied, others])
        const untouched = whole(features, layers(applied, ...others))
        const withIt = others.toSpliced(place, 0, { ...one, addOnId: 'one' })
        whole(features, layers(applied, ...withIt))
        const without = withIt.filter(({ addOnId }) => addOnId !== 'one')
        expect(whole(features, layers(applied, ...without))).toEqual(untouched)
        expect(JSON.stringify([features, applied, others])).toBe(before)
      }),
    )
  })

  test('what an add-on was applied before does not matter to features that it does not change', () => {
    fc.assert(
      fc.property(own, onPlan, packs, pack, (features, applied, others, one) => {
        const spoken = new Set(one.featureValues.map(({ featureCode }) => featureCode))
        const rest = (...addOns: AppliedAddOn[]) =>
          layered(features, layers(applied, ...addOns), ['cad']).filter(({ featureCode }) => !spoken.has(featureCode))
        expect(rest(...others, { ...one, addOnId: 'one' })).toEqual(rest(...others))
      }),
    )
  })

  for (const operation of ['Add', 'Max'] as const)
    test(`add-ons that only ${operation} amounts make the same in any order`, () => {
      const amount = fc.integer({ min: 0, max: 100_000 }).map((cents) => `${cents / 100}`)
      const amounts = fc.array(amount, { maxLength: 5 })
      fc.assert(
        fc.property(onPlan, amounts, (applied, given) => {
          const features = [feature('SEATS', { value: '3' }), feature('CALLS', { usageMetric: 'used', value: '10' })]
          const each = given.map((amountGiven, index) =>
            addOn(
              ['SEATS', 'CALLS'].map((featureCode) => change(featureCode, { operation, value: amountGiven })),
              { addOnId: String(index) },
            ),
          )
          expect(whole(features, layers(applied, ...each.toReversed()))).toEqual(
            whole(features, layers(applied, ...each)),
          )
        }),
      )
    })

  test('the last add-on to Replace a value decides it', () => {
    fc.assert(
      fc.property(own, packs, value, (features, others, last) => {
        const replacing = addOn([change('SEATS', { value: last })], { addOnId: 'last' })
        const [seats] = layered(features, layers(null, ...others, replacing), ['cad'])
        expect(seats!.value).toBe(last)
      }),
    )
  })

  test('tiers never have a bound that is no number', () => {
    fc.assert(
      fc.property(own, onPlan, packs, (features, applied, others) => {
        const [, definition] = whole(features, layers(applied, ...others))
        const { usageTiers } = (definition as ReturnType<ReturnType<typeof definitions>>).meteredUsage!
        for (const { startUsage, endUsage } of usageTiers)
          for (const bound of [startUsage, endUsage])
            expect(bound === null || (Number.isFinite(bound) && bound >= 0)).toBe(true)
      }),
    )
  })
})
