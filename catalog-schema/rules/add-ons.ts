import type { AddOn } from '../add-on.ts'
import { pathSegment } from '../member-names.ts'
import { judgeValue } from './feature-values.ts'
import type { Breach, Surroundings, Verdict } from './rule.ts'
import { judgeTiers } from './tiers.ts'

/** An add-on changes features that a product of its suite has, to values of their types. */
export function judgeAddOn(addOn: AddOn, around: Surroundings, verdict: Verdict): void {
  const members = around.membersOf(addOn.suiteCode)
  const allKnown = members?.every((member) => around.find('product', `product:${member}`) !== undefined)
  for (const value of addOn.featureValues) {
    const place = `/featureValues/${pathSegment(value.featureCode)}`
    judgeTiers(value.usageTiers, `${place}/usageTiers`, verdict)
    const feature = members
      ?.map((member) => around.featureOf(member, value.featureCode))
      .find((found) => found !== undefined)
    if (feature && value.operation === 'Replace') judgeValue(feature, value.value, `${place}/value`, verdict)
    if (!feature && allKnown) verdict.breaches.push(unknownFeature(addOn.suiteCode, value.featureCode, place))
  }
}

const unknownFeature = (suiteCode: string, featureCode: string, place: string): Breach => ({
  codeName: 'catalog.unresolved_reference',
  path: `${place}/featureCode`,
  message: `no product of suite "${suiteCode}" has a feature "${featureCode}"`,
})
