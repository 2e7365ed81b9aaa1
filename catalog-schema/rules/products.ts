import { pathSegment } from '../member-names.ts'
import type { Product } from '../product.ts'
import { judgeValue } from './feature-values.ts'
import { checkFeatureMetricName } from './metric-names.ts'
import type { Surroundings, Verdict } from './rule.ts'

/** The features attached to a product report under sound metric names and hold values of their own types. */
export function judgeProduct(product: Product, _around: Surroundings, verdict: Verdict): void {
  for (const feature of product.features) {
    const at = `/features/${pathSegment(feature.featureCode)}`
    verdict.breaches.push(...checkFeatureMetricName(feature.featureCode, feature.usageMetric, `${at}/usageMetric`))
    judgeValue(feature, feature.value, `${at}/value`, verdict)
  }
}
