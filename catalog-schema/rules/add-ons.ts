import type { AddOn } from '../add-on.ts'
import { productText } from '../keys.ts'
import { memberName, pathSegment } from '../member-names.ts'
import { isQuantity, judgeValue } from './feature-values.ts'
import { type Breach, type Caution, invalid, type Surroundings, type Verdict } from './rule.ts'
import { judgeTiers } from './tiers.ts'

/** An add-on is about features of its suite's products, and changes features that one of them has to values of their types. */
export function judgeAddOn(addOn: AddOn, around: Surroundings, verdict: Verdict): void {
  // It is no part of the key, so an item may leave it out; but no default could stand in for it.
  if (addOn.suiteCode === null) {
    verdict.breaches.push(invalid('/suiteCode', 'a new add-on names its suite: "suiteCode" is missing'))
    return
  }
  const members = around.membersOf(addOn.suiteCode)
  const allKnown = members?.every((member) => around.find('product', `product:${member}`) !== undefined)
  if (members) verdict.breaches.push(...checkFeatures(addOn, new Set(members)))
  if (members) verdict.cautions.push(...doubtPlanTargets(addOn, around))
  for (const value of addOn.featureValues) {
    const place = `/featureValues/${pathSegment(value.featureCode)}`
    const bounds = value.operation === 'Add' ? 'added' : 'own'
    judgeTiers(value.usageTiers, `${place}/usageTiers`, around, verdict, bounds)
    const feature = around.featureInSuite(addOn.suiteCode, value.featureCode)
    if (feature && value.operation === 'Replace') judgeValue(feature, value.value, `${place}/value`, verdict)
    else verdict.cautions.push(...doubtOperand(value, `${place}/value`))
    if (!feature && members && allKnown) verdict.breaches.push(unknownFeature(addOn.suiteCode, members, value, place))
  }
}

/** What is added, or kept where it is larger, is a number. */
function doubtOperand({ operation, value }: { operation: string; value: string | null }, path: string): Caution[] {
  if (operation === 'Replace' || value === null || isQuantity(value)) return []
  return [{ code: 'value_type', path, message: `${operation} works on numbers, and "${value}" is none` }]
}

/** The features of an add-on belong to products of its suite. */
function checkFeatures({ suiteCode, features }: AddOn, members: ReadonlySet<string>): Breach[] {
  return features.flatMap((feature) => {
    const product = productText(feature)
    if (members.has(product)) return []
    const name = memberName(['productCode', 'productVersion', 'featureCode'], { ...feature })
    const message = `${product} is not a member of suite "${suiteCode}"`
    return [invalid(`/features/${pathSegment(name)}/productCode`, message)]
  })
}

/** A plan to act on that no plan set of the suite has is probably misspelt. */
function doubtPlanTargets({ suiteCode, featureValues }: AddOn, around: Surroundings): Caution[] {
  return featureValues.flatMap(({ featureCode, planTargets }) =>
    planTargets.flatMap((plan, index) => {
      if (around.hasPlan(suiteCode, plan)) return []
      const path = `/featureValues/${pathSegment(featureCode)}/planTargets/${index}`
      return [
        { code: 'plan_target_unknown', path, message: `no plan set of suite "${suiteCode}" has a plan "${plan}"` },
      ]
    }),
  )
}

const unknownFeature = (
  suiteCode: string,
  members: readonly string[],
  { featureCode }: { featureCode: string },
  place: string,
): Breach => ({
  codeName: 'catalog.unresolved_reference',
  path: `${place}/featureCode`,
  message: `no product of suite "${suiteCode}" has a feature "${featureCode}"`,
  wanted: { featureCode, products: members },
})
