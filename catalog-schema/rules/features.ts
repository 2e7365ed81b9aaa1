import type { Feature } from '../feature.ts'
import { checkFeatureMetricName, doubtMetric } from './metric-names.ts'
import type { Surroundings, Verdict } from './rule.ts'

/** A feature reports usage under a sound metric name, preferably one that something meters. */
export function judgeFeature(feature: Feature, around: Surroundings, verdict: Verdict): void {
  const breaches = checkFeatureMetricName(feature.featureCode, feature.metricName, '/metricName')
  verdict.breaches.push(...breaches)
  if (breaches.length === 0) verdict.cautions.push(...doubtMetric(feature, feature.metricName, '/metricName', around))
}
