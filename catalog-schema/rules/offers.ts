import { keyOf, productText } from '../keys.ts'
import { memberName, pathSegment } from '../member-names.ts'
import type { Offer } from '../offer.ts'
import type { PlanSet } from '../plan-set.ts'
import { judgeValue } from './feature-values.ts'
import { checkKeyIssuance } from './key-template.ts'
import { explainNetwork } from './networks.ts'
import { invalid, type Surroundings, type Verdict } from './rule.ts'

/** An offer ends after it begins, starts on a plan that exists, sets values its features can have, and carries policies that can be followed. */
export function judgeOffer(offer: Offer, around: Surroundings, { breaches, cautions }: Verdict): void {
  for (const product of offer.products) {
    const at = `/products/${pathSegment(memberName(['productCode', 'productVersion'], { ...product }))}`
    for (const value of product.features) {
      const place = `${at}/features/${pathSegment(value.featureCode)}`
      const feature = around.featureOf(productText(product), value.featureCode)
      if (feature) judgeValue(feature, value.value, `${place}/value`, { breaches, cautions })
    }
  }
  const { notValidBeforeDateTime: start, expirationDateTime: end } = offer
  if (start !== null && end !== null && Date.parse(end) <= Date.parse(start))
    breaches.push(invalid('/expirationDateTime', 'must be after notValidBeforeDateTime'))
  const plan = offer.assignedPlan
  if (plan && lacksPlan(plan, around))
    breaches.push({
      codeName: 'catalog.unresolved_reference',
      path: '/assignedPlan/planName',
      message: `plan set "${plan.planSetName}" has no plan "${plan.planName}"`,
    })
  offer.activationPolicy?.allowedIpCidr?.forEach((network, index) => {
    const wrong = explainNetwork(network)
    if (wrong) breaches.push(invalid(`/activationPolicy/allowedIpCidr/${index}`, wrong))
  })
  const group = offer.activationPolicy?.requireOrganizationGroupMember
  if (group && !around.hasGroup(group))
    breaches.push({
      codeName: 'catalog.unresolved_reference',
      path: '/activationPolicy/requireOrganizationGroupMember',
      message: `there is no organization group "${group}" in the environment: a catalog has groups by their names, and they are made there`,
    })
  if (offer.keyIssuancePolicy) breaches.push(...checkKeyIssuance(offer.keyIssuancePolicy, '/keyIssuancePolicy'))
  if (offer.allowAnonymousTry && offer.anonymousTryPolicy?.enabled !== true)
    cautions.push({
      code: 'anonymous_try_without_policy',
      path: '/allowAnonymousTry',
      message: 'nobody can try without an account until the offer has an enabled anonymousTryPolicy too',
    })
}

/** Whether the plan set is known and has no such plan. */
function lacksPlan(plan: NonNullable<Offer['assignedPlan']>, around: Surroundings): boolean {
  const key = keyOf('planSet', { suiteCode: plan.suiteCode, name: plan.planSetName }, around.suiteText)
  const set = around.find('planSet', key) as PlanSet | undefined
  return set !== undefined && !set.plans.some(({ name }) => name === plan.planName)
}
