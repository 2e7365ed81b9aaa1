import { keyOf } from '../keys.ts'
import { type Breach, type Caution, invalid, type Surroundings } from './rule.ts'

/** A metric name is lowercase. */
export function checkMetricName(metricName: string | null, path: string): Breach[] {
  if (metricName === null || metricName === metricName.toLowerCase()) return []
  return [invalid(path, `a metric name is lowercase: "${metricName.toLowerCase()}", not "${metricName}"`)]
}

/** A metric name is lowercase and not the code of the feature it meters. */
export function checkFeatureMetricName(featureCode: string, metricName: string | null, path: string): Breach[] {
  const breaches = checkMetricName(metricName, path)
  if (breaches.length > 0 || metricName === null || metricName !== featureCode) return breaches
  return [invalid(path, 'the metric name differs from the feature code')]
}

/** A metric name that no monitored asset of the product bears deserves a second look. */
export function doubtMetric(
  product: { productCode: string; productVersion: string | null },
  metricName: string | null,
  path: string,
  around: Pick<Surroundings, 'find'>,
): Caution[] {
  if (metricName === null || metricName === '') return []
  const key = keyOf('monitoredAsset', { ...product, metricName })
  if (around.find('monitoredAsset', key)) return []
  return [
    { code: 'metric_not_monitored', path, message: `nothing says how "${metricName}" counts: there is no ${key}` },
  ]
}
