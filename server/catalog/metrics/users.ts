import type { Readable } from '../../database/database.ts'
import { isDraft, planSetsAbout, suitesOf } from '../records/speakers.ts'

/** The plan sets, released or retired, that quote a metric of a product, by key: as what a feature reports under, or as the balance that pays. */
export async function usersOfMetric(
  readable: Readable,
  tenantId: string,
  metric: { product_id: string; metric_name: string },
): Promise<string[]> {
  const suites = await suitesOf(readable, tenantId, metric.product_id)
  const planSets = await planSetsAbout(readable, tenantId, suites, metric.product_id)
  return planSets
    .filter((set) => !isDraft(set))
    .filter(({ lines }) =>
      lines
        .flatMap(({ featureValues }) => featureValues)
        .some(
          ({ metricName, usageTiers }) =>
            metricName === metric.metric_name ||
            usageTiers.some(({ fundingBalanceMetric }) => fundingBalanceMetric === metric.metric_name),
        ),
    )
    .map(({ key }) => key)
}
