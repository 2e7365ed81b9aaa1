import type { AddOn } from '../add-on.ts'
import type { Feature } from '../feature.ts'
import { memberName } from '../form.ts'
import { keyOf, keyText, productText } from '../keys.ts'
import type { Metric } from '../metric.ts'
import type { Offer } from '../offer.ts'
import type { Kind } from '../order.ts'
import { pathSegment } from '../paths.ts'
import type { PlanSet } from '../plan-set.ts'
import type { Product, ProductFeature } from '../product.ts'
import { explainCron } from './cron.ts'
import { checkEnumValue, doubtValue, type ValuedFeature } from './feature-values.ts'
import { checkFeatureMetricName, checkMetricName } from './metric-names.ts'
import { checkPricingMode } from './pricing-mode.ts'
import type { Breach, Caution, Surroundings } from './rule.ts'
import { checkTiers } from './tiers.ts'

/** What is wrong with a canonical item, and what is doubtful about it, given the catalog it stands in. */
export interface Verdict {
  breaches: Breach[]
  cautions: Caution[]
}

const invalid = (path: string, message: string): Breach => ({ codeName: 'license.validation_error', path, message })

/** Applies every rule that a schema cannot say to one canonical item. */
export function checkItem(kind: Kind, item: object, around: Surroundings): Verdict {
  const verdict: Verdict = { breaches: [], cautions: [] }
  rules[kind]?.(item as never, around, verdict)
  return verdict
}

type Rules = Partial<Record<Kind, (item: never, around: Surroundings, verdict: Verdict) => void>>

const rules: Rules = {
  product(product: Product, _around, { breaches }) {
    for (const feature of product.features)
      breaches.push(
        ...checkFeatureMetricName(
          feature.featureCode,
          feature.usageMetric,
          `/features/${pathSegment(feature.featureCode)}/usageMetric`,
        ),
      )
    const parent = { productCode: product.parentProductCode ?? '', productVersion: product.parentProductVersion }
    if (product.parentProductCode !== null && productText(parent) === productText(product))
      breaches.push(invalid('/parentProductCode', 'a product is not part of itself'))
  },

  feature(feature: Feature, around, { breaches, cautions }) {
    breaches.push(...checkFeatureMetricName(feature.featureCode, feature.metricName, '/metricName'))
    if (feature.metricName !== null && breaches.length === 0) {
      const metric = keyOf('monitoredAsset', { ...feature })
      if (!around.find('monitoredAsset', metric))
        cautions.push({
          code: 'metric_not_monitored',
          path: '/metricName',
          message: `nothing meters "${feature.metricName}" yet: there is no ${metric}`,
        })
    }
  },

  monitoredAsset(metric: Metric, _around, { breaches }) {
    breaches.push(...checkMetricName(metric.metricName, '/metricName'))
    if (metric.meteredUsage !== null && metric.balanceUsage !== null)
      breaches.push(invalid('/balanceUsage', 'a monitored asset is metered by tiers or by a balance, not by both'))
    if (metric.meteredUsage) breaches.push(...checkTiers(metric.meteredUsage.usageTiers, '/meteredUsage/usageTiers'))
    const schedule = metric.balanceUsage?.autoBalanceCronSchedule
    const wrong = schedule ? explainCron(schedule) : undefined
    if (wrong) breaches.push(invalid('/balanceUsage/autoBalanceCronSchedule', wrong))
  },

  planSet(set: PlanSet, around, { breaches, cautions }) {
    breaches.push(...checkPricingMode(set.plans))
    const members = around.membersOf(set.suiteCode)
    for (const plan of set.plans)
      for (const line of plan.lineItems) {
        const at = `/plans/${pathSegment(plan.name)}/lineItems/${pathSegment(memberName(['productCode', 'productVersion'], { ...line }))}`
        if (line.productCode === null) {
          breaches.push(
            invalid(
              `${at}/productCode`,
              `a line item names its product: suite "${set.suiteCode}" has not exactly one member`,
            ),
          )
          continue
        }
        const product = { productCode: line.productCode, productVersion: line.productVersion }
        if (members && !members.includes(productText(product)))
          breaches.push(
            invalid(`${at}/productCode`, `${productText(product)} is not a member of suite "${set.suiteCode}"`),
          )
        for (const value of line.featureValues) {
          const place = `${at}/featureValues/${pathSegment(value.featureCode)}`
          breaches.push(...checkTiers(value.usageTiers, `${place}/usageTiers`))
          breaches.push(...checkFeatureMetricName(value.featureCode, value.metricName, `${place}/metricName`))
          const feature = findFeature(around, { ...product, featureCode: value.featureCode })
          if (!feature) continue
          breaches.push(...checkEnumValue(feature, value.value, `${place}/value`))
          cautions.push(...doubtValue(feature, value.value, `${place}/value`))
        }
      }
  },

  addOn(addOn: AddOn, around, { breaches, cautions }) {
    const members = around.membersOf(addOn.suiteCode)
    for (const value of addOn.featureValues) {
      const place = `/featureValues/${pathSegment(value.featureCode)}`
      breaches.push(...checkTiers(value.usageTiers, `${place}/usageTiers`))
      if (!members) continue
      const features = members.map((member) => findFeature(around, { text: member, featureCode: value.featureCode }))
      const feature = features.find((found) => found !== undefined)
      if (!feature)
        breaches.push(
          invalid(
            `${place}/featureCode`,
            `no product of suite "${addOn.suiteCode}" has a feature "${value.featureCode}"`,
          ),
        )
      else if (value.operation === 'Replace') {
        breaches.push(...checkEnumValue(feature, value.value, `${place}/value`))
        cautions.push(...doubtValue(feature, value.value, `${place}/value`))
      }
    }
  },

  entitlementOffer(offer: Offer, around, { breaches }) {
    const plan = offer.assignedPlan
    if (!plan) return
    const set = around.find(
      'planSet',
      keyOf('planSet', { suiteCode: plan.suiteCode, name: plan.planSetName }, around.suiteText),
    ) as PlanSet | undefined
    if (set && !set.plans.some((candidate) => candidate.name === plan.planName))
      breaches.push(invalid('/assignedPlan/planName', `plan set "${plan.planSetName}" has no plan "${plan.planName}"`))
  },
}

/** The feature under a code: the catalog's entry, or the one attached to the product. */
export function findFeature(
  around: Surroundings,
  name: { featureCode: string } & ({ productCode: string; productVersion: string | null } | { text: string }),
): ValuedFeature | undefined {
  const product = 'text' in name ? name.text : productText(name)
  const entry = around.find('feature', `feature:${product}/${keyText(name.featureCode)}`)
  if (entry) return entry as unknown as ValuedFeature
  const owner = around.find('product', `product:${product}`) as { features?: ProductFeature[] } | undefined
  return owner?.features?.find((feature) => feature.featureCode === name.featureCode)
}
