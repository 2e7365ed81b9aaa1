import { productText } from '../keys.ts'
import { memberName, pathSegment } from '../member-names.ts'
import type { LineItem, PlanSet } from '../plan-set.ts'
import { judgeValue } from './feature-values.ts'
import { checkFeatureMetricName, doubtMetric } from './metric-names.ts'
import { checkPricingMode } from './pricing-mode.ts'
import { invalid, type Surroundings, type Verdict } from './rule.ts'
import { judgeTiers } from './tiers.ts'

/** The plans of a set are priced alike, and speak of the suite's members and their features. */
export function judgePlanSet(set: PlanSet, around: Surroundings, verdict: Verdict): void {
  verdict.breaches.push(...checkPricingMode(set.plans))
  const known = around.membersOf(set.suiteCode)
  const members = known && new Set(known)
  for (const plan of set.plans)
    for (const line of plan.lineItems) {
      const at = `/plans/${pathSegment(plan.name)}/lineItems/${pathSegment(memberName(productNamedBy, line as unknown as Record<string, unknown>))}`
      const wrong = members && explainMember(line, set.suiteCode, members)
      if (wrong) verdict.breaches.push(invalid(`${at}/productCode`, wrong))
      else judgeFeatureValues(line, at, around, verdict)
    }
}

const productNamedBy = ['productCode', 'productVersion']

/** Why a line item is about no member of a suite whose members are known. */
function explainMember(line: LineItem, suiteCode: string, members: ReadonlySet<string>): string | undefined {
  if (line.productCode === null) return `a line item names its product: suite "${suiteCode}" has not exactly one member`
  const product = productText({ productCode: line.productCode, productVersion: line.productVersion })
  return members.has(product) ? undefined : `${product} is not a member of suite "${suiteCode}"`
}

function judgeFeatureValues(line: LineItem, at: string, around: Surroundings, verdict: Verdict): void {
  if (line.productCode === null) return
  const product = { productCode: line.productCode, productVersion: line.productVersion }
  const text = productText(product)
  for (const value of line.featureValues) {
    const place = `${at}/featureValues/${pathSegment(value.featureCode)}`
    judgeTiers(value.usageTiers, `${place}/usageTiers`, around, verdict)
    const feature = around.featureOf(text, value.featureCode)
    if (feature) judgeValue(feature, value.value, `${place}/value`, verdict)
    if (value.metricName === null) continue
    const wrong = checkFeatureMetricName(value.featureCode, value.metricName, `${place}/metricName`)
    verdict.breaches.push(...wrong)
    if (feature && wrong.length === 0)
      verdict.cautions.push(...doubtMetric(product, value.metricName, `${place}/metricName`, around))
  }
}
