import { keyOf } from '../../../catalog-schema/keys.ts'
import type { MeteredUsage } from '../../../catalog-schema/metric.ts'
import type { UsageTier } from '../../../catalog-schema/usage-tier.ts'
import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { addOnsOf, isDraft, planSetsAbout, suitesOf } from '../records/speakers.ts'

/**
 * Those that quote a metric of a product, by key: plan sets, released or retired, as what a feature reports under or as
 * the balance that pays; such add-ons, and the product's other metrics, as the balance that pays.
 */
export async function usersOfMetric(
  readable: Readable,
  tenantId: string,
  metric: { id: string; product_id: string; metric_name: string },
): Promise<string[]> {
  const suites = await suitesOf(readable, tenantId, metric.product_id)
  const planSets = await planSetsAbout(readable, tenantId, suites, metric.product_id)
  const isPaidBy = (tiers: readonly UsageTier[]) =>
    tiers.some(({ fundingBalanceMetric }) => fundingBalanceMetric === metric.metric_name)
  const quotingSets = planSets
    .filter((set) => !isDraft(set))
    .filter(({ lines }) =>
      lines
        .flatMap(({ featureValues }) => featureValues)
        .some(({ metricName, usageTiers }) => metricName === metric.metric_name || isPaidBy(usageTiers)),
    )
  const quotingAddOns = (await addOnsOf(readable, tenantId, suites))
    .filter((addOn) => !isDraft(addOn))
    .filter(({ values }) => values.some(({ usageTiers }) => isPaidBy(usageTiers)))
  const paidMetrics = (await meteredBeside(readable, tenantId, metric)).filter(({ usageTiers }) => isPaidBy(usageTiers))
  return [...quotingSets, ...quotingAddOns, ...paidMetrics].map(({ key }) => key)
}

/** The metered assets of the catalog that a metric's product has beside it, by key. */
async function meteredBeside(
  readable: Readable,
  tenantId: string,
  metric: { id: string; product_id: string },
): Promise<{ key: string; usageTiers: UsageTier[] }[]> {
  const rows = await readable
    .selectFrom('metrics')
    .innerJoin('products', 'products.id', 'metrics.product_id')
    .select(['product_code', 'product_version', 'metric_name', 'metered_usage'])
    .where('metrics.tenant_id', '=', tenantId)
    .where('product_id', '=', metric.product_id)
    .where('metrics.is_deleted', '=', no)
    .where('metrics.id', '!=', metric.id)
    .where('metered_usage', 'is not', null)
    .execute()
  return rows.map((row) => ({
    key: keyOf('monitoredAsset', {
      productCode: row.product_code,
      productVersion: row.product_version,
      metricName: row.metric_name,
    }),
    usageTiers: (JSON.parse(row.metered_usage!) as MeteredUsage).usageTiers,
  }))
}
