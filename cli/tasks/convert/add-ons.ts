import { nearest } from '../../nearest.ts'
import { amountText, readAmount } from './amounts.ts'
import { type Consequences, type DeclaredFeature, featureValueText } from './declared-feature.ts'
import type { Declared } from './features.ts'
import { claimCodes, codeOf } from './names.ts'
import type { Place } from './place.ts'
import { tiersAt } from './tiers.ts'
import { readValues } from './values.ts'

/** The add-ons of a price list. A code begins with the product's, so that two services in one catalog never meet. */
export function readAddOns(priceList: Place, productCode: string, declared: Declared) {
  const codes = claimCodes()
  const plans = priceList.field('plans').members()
  const planNames = plans.map(([name]) => name)
  const limitsOf = new Map(
    plans.map(([name, plan]) => [name, readValues(plan.field('usageLimits'), declared.limits, 'usage limit')]),
  )
  /** Whether a plan has a number of the limit, which more can be added to. */
  const isCounted = (plan: string, limit: DeclaredFeature) =>
    (readAmount((limitsOf.get(plan)?.get(limit) ?? limit.defaultValue).value) ?? -1) >= 0
  return priceList
    .field('addOns')
    .members()
    .map(([name, place]) => {
      if (!place.isEmpty && !place.isMapping) place.refuse('must be a mapping with features or usageLimits')
      place.leaveOutAllBut('description', 'availableFor', 'features', 'usageLimits', 'usageLimitsExtensions')
      const own = codeOf(name)
      const { code, metBy } = codes.claim(own.startsWith(`${productCode}_`) ? own : `${productCode} ${own}`)
      if (own === '') place.warn(`has no letter or digit to make a code of: it is ${code} here`)
      else if (metBy !== undefined) place.warn(`meets another add-on in its code: it is ${code} here`)
      const description = place.field('description')
      const availableFor = place.field('availableFor')
      const planTargets = readTargets(availableFor, planNames)
      const targetsOf = (limit: DeclaredFeature, given: Place) => {
        const targets = planTargets.length > 0 ? planTargets : planNames
        const counted = targets.filter((plan) => isCounted(plan, limit))
        if (!limit.meter || counted.length === targets.length) return planTargets
        const others = targets.filter((plan) => !counted.includes(plan)).join(', ')
        given.warn(`is left out for ${others}: the limit is no number there to which it could be added`)
        return counted.length > 0 ? counted : undefined
      }
      const featureValues = readFeatureValues(place, declared, planTargets, targetsOf)
      if (featureValues.length === 0 && planTargets.length > 0)
        availableFor.warn('has no place in an add-on that gives no values: left out')
      if (Array.isArray(availableFor.value) && availableFor.isEmpty && planNames.length > 0)
        availableFor.warn('names no plan, which a catalog cannot say: the add-on is for every plan')
      return {
        suiteCode: productCode,
        code,
        name,
        ...(description.value === undefined ? {} : { description: description.text() }),
        featureValues,
      }
    })
}

/** The plans an add-on is sold with, each once; empty where it names none, which is every plan. A name that is no plan is an error. */
function readTargets(availableFor: Place, planNames: readonly string[]): string[] {
  const named = availableFor.texts()
  for (const [name, place] of named) {
    if (planNames.includes(name)) continue
    const [meant] = nearest(name, planNames)
    place.refuse(`there is no plan "${name}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`)
  }
  return [...new Set(named.map(([name]) => name))]
}

/** `planTargets` are those of the add-on; `targetsOf` answers those that an extension is for, nothing where it is for none. */
function readFeatureValues(
  addOn: Place,
  { features, limits }: Declared,
  planTargets: string[],
  targetsOf: (limit: DeclaredFeature, given: Place) => string[] | undefined,
) {
  const values = []
  for (const [feature, given] of readValues(addOn.field('features'), features, 'feature')) {
    const value = featureValueText(feature, given)
    values.push({ featureCode: feature.featureCode, value, operation: 'Replace', planTargets })
  }
  const replaced = readValues(addOn.field('usageLimits'), limits, 'usage limit')
  for (const [limit, given] of replaced) values.push({ ...limitValue(limit, given, 'Replace'), planTargets })
  for (const [limit, given] of readValues(addOn.field('usageLimitsExtensions'), limits, 'usage limit')) {
    if (replaced.has(limit)) given.warn('the add-on sets the limit already: its extension is left out')
    else if (canExtend(limit, given)) {
      const targets = targetsOf(limit, given)
      if (targets) values.push({ ...limitValue(limit, given, 'Add'), planTargets: targets })
    } else {
      if (isLost(limit, given)) given.warn('cannot be added to the limit: takes its place')
      values.push({ ...limitValue(limit, given, 'Replace'), planTargets })
    }
  }
  return values
}

/** Only a finite number can be added, and only to a number; anything else takes the limit's place. */
function canExtend(limit: DeclaredFeature, given: Place): boolean {
  return Number.isFinite(readAmount(given.value)) && isNumeric(limit)
}

/** Whether taking the limit's place differs from adding to it; of a metered limit the warning of its number tells. */
const isLost = (limit: DeclaredFeature, given: Place) =>
  !limit.meter && !(isNumeric(limit) && readAmount(given.value) === Number.POSITIVE_INFINITY)

const isNumeric = ({ featureType }: DeclaredFeature) => featureType !== 'Boolean' && featureType !== 'Text'

function limitValue(limit: DeclaredFeature, given: Place, operation: 'Replace' | 'Add') {
  const value = featureValueText(limit, given, limit.meter ? consequencesOf[operation] : {})
  const amount = limit.meter && readAmount(given.value)
  const isMetered = amount !== undefined && amount >= 0
  return {
    featureCode: limit.featureCode,
    value: isMetered ? amountText(amount) : value,
    usageTiers: isMetered ? tiersAt(amount) : [],
    operation,
  }
}

/** An add-on's value without tiers leaves those of the plan; a plan that does not include the limit has none. */
const consequencesOf: Record<'Replace' | 'Add', Consequences> = {
  Replace: {
    noNumber: "the plan's limit stays, or, where that is 0, no limit is enforced",
    belowZero: "the plan's limit stays",
  },
  Add: { belowZero: "the plan's limit is lowered by it" },
}
