import type { Breach } from './rule.ts'

/** A metric name is lowercase. */
export function checkMetricName(metricName: string | null, path: string): Breach[] {
  if (metricName === null || metricName === metricName.toLowerCase()) return []
  return [
    {
      codeName: 'license.validation_error',
      path,
      message: `a metric name is lowercase: "${metricName.toLowerCase()}", not "${metricName}"`,
    },
  ]
}

/** A metric name is lowercase and not the code of the feature it meters. */
export function checkFeatureMetricName(featureCode: string, metricName: string | null, path: string): Breach[] {
  const breaches = checkMetricName(metricName, path)
  if (breaches.length === 0 && metricName !== null && metricName === featureCode)
    return [{ codeName: 'license.validation_error', path, message: 'the metric name differs from the feature code' }]
  return breaches
}
