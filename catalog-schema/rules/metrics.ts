import type { Metric } from '../metric.ts'
import { explainCron } from './cron.ts'
import { checkMetricName } from './metric-names.ts'
import { invalid, type Surroundings, type Verdict } from './rule.ts'
import { judgeTiers } from './tiers.ts'

/** A monitored asset has a lowercase name, is charged in one way, by sound tiers or on a sound schedule. */
export function judgeMetric(metric: Metric, around: Surroundings, verdict: Verdict): void {
  const { breaches } = verdict
  breaches.push(...checkMetricName(metric.metricName, '/metricName'))
  if (metric.meteredUsage !== null && metric.balanceUsage !== null)
    breaches.push(invalid('/balanceUsage', 'a monitored asset is metered by tiers or by a balance, not by both'))
  if (metric.meteredUsage) judgeTiers(metric.meteredUsage.usageTiers, '/meteredUsage/usageTiers', around, verdict)
  const schedule = metric.balanceUsage?.autoBalanceCronSchedule
  const wrong = schedule ? explainCron(schedule) : undefined
  if (wrong) breaches.push(invalid('/balanceUsage/autoBalanceCronSchedule', wrong))
}
