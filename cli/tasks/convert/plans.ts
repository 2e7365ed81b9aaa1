import { amountText, readAmount } from './amounts.ts'
import { type DeclaredFeature, featureValueText } from './declared-feature.ts'
import type { Declared } from './features.ts'
import type { Place } from './place.ts'
import { readPrice } from './prices.ts'
import { tiersAt } from './tiers.ts'
import { readValues } from './values.ts'

const planFields = ['description', 'price', 'monthlyPrice', 'annualPrice', 'unit', 'features', 'usageLimits']

/** The plans of a price list in its order, each with a value for everything declared: its own, or the default. */
export function readPlans(priceList: Place, productCode: string, declared: Declared, currency: string | null) {
  return priceList
    .field('plans')
    .members()
    .map(([name, place], sortOrder) => {
      if (!place.isEmpty && !place.isMapping) place.refuse('must be a mapping with price, features and usageLimits')
      place.leaveOutAllBut(...planFields)
      const ownFeatures = readValues(place.field('features'), declared.features, 'feature')
      const ownLimits = readValues(place.field('usageLimits'), declared.limits, 'usage limit')
      const description = place.field('description')
      const featureValues = [
        ...[...declared.features.values()].map((feature) => planValue(feature, ownFeatures)),
        ...[...declared.limits.values()].map((limit) => planLimit(limit, ownLimits)),
      ]
      return {
        name,
        ...(description.value === undefined ? {} : { description: description.text() }),
        sortOrder,
        pricingMode: 'Absolute',
        monthlyPrice: readPrice(place),
        currency,
        lineItems: [{ productCode, included: true, featureValues }],
      }
    })
}

function planValue(feature: DeclaredFeature, own: Map<DeclaredFeature, Place>) {
  return {
    featureCode: feature.featureCode,
    value: featureValueText(feature, own.get(feature) ?? feature.defaultValue),
  }
}

/** Every field is said, so that a limit which was metered a year ago and is not any more leaves nothing behind. */
function planLimit(limit: DeclaredFeature, own: Map<DeclaredFeature, Place>) {
  const given = own.get(limit) ?? limit.defaultValue
  const { featureCode, meter } = limit
  const value = featureValueText(limit, given)
  const amount = meter && readAmount(given.value)
  const isMetered = amount !== undefined && amount >= 0
  return {
    featureCode,
    metricName: meter?.metricName ?? null,
    // Not Denied, which no add-on could lift.
    enforcementType: !isMetered ? 'SingleValue' : amount === 0 ? 'NotIncluded' : 'TieredAbsolute',
    value: isMetered ? amountText(amount) : value,
    usageTiers: isMetered && amount > 0 ? tiersAt(amount) : [],
  }
}
