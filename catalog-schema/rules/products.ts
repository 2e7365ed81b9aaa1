import { keyOf } from '../keys.ts'
import { pathSegment } from '../member-names.ts'
import type { Product } from '../product.ts'
import { checkEnumValue, doubtValue } from './feature-values.ts'
import { checkFeatureMetricName } from './metric-names.ts'
import type { Surroundings, ValuedFeature, Verdict } from './rule.ts'

/**
 * The features attached to a product report under sound metric names and hold values of their own types: those that the
 * feature catalog gives them, where it has an entry.
 */
export function judgeProduct(product: Product, around: Surroundings, verdict: Verdict): void {
  for (const feature of product.features) {
    const at = `/features/${pathSegment(feature.featureCode)}`
    verdict.breaches.push(...checkFeatureMetricName(feature.featureCode, feature.usageMetric, `${at}/usageMetric`))
    if (feature.value === null) continue
    verdict.breaches.push(...checkEnumValue(feature, feature.value, `${at}/value`))
    const entry = around.find('feature', keyOf('feature', { ...ofProduct(product), featureCode: feature.featureCode }))
    verdict.cautions.push(...doubtValue((entry as ValuedFeature | undefined) ?? feature, feature.value, `${at}/value`))
  }
}

const ofProduct = ({ productCode, productVersion }: Product) => ({ productCode, productVersion })
