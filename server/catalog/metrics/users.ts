import { keyOf } from '../../../catalog-schema/keys.ts'
import type { MeteredUsage } from '../../../catalog-schema/metric.ts'
import type { UsageTier } from '../../../catalog-schema/usage-tier.ts'
import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'
import type { StoredLine } from '../plan-sets/stored-plans.ts'
import { listAttachedFeatures } from '../products/attached-features.ts'
import { listEntriesOf } from '../records/entries-of.ts'
import { addOnsOf, isDraft, planSetsOf, suitesOf } from '../records/speakers.ts'

interface AskedMetric {
  id: string
  product_id: string
  metric_name: string
}

/**
 * Those that need a metric of a product, by key: plan sets, released or retired, as what a feature reports under or as the
 * balance that pays; such add-ons, and other metrics, as the balance that pays. A balance may pay for the other products of
 * a suite, but for those that have a balance of that name themselves.
 */
export async function usersOfMetric(readable: Readable, tenantId: string, metric: AskedMetric): Promise<string[]> {
  const suites = await suitesOf(readable, tenantId, metric.product_id)
  const productIds = [...new Set([metric.product_id, ...suites.flatMap(({ memberIds }) => memberIds)])]
  const assets = await assetsBeside(readable, tenantId, metric, productIds)
  const payingThemselves = new Set(
    assets.flatMap(({ productId, metricName, isBalance }) =>
      isBalance && metricName === metric.metric_name ? [productId] : [],
    ),
  )
  const isPaidBy = (tiers: readonly UsageTier[]) =>
    tiers.some(({ fundingBalanceMetric }) => fundingBalanceMetric === metric.metric_name)
  const isPaidFor = (productId: string, tiers: readonly UsageTier[]) =>
    !payingThemselves.has(productId) && isPaidBy(tiers)
  const ownNames = await metricNamesOf(readable, tenantId, metric.product_id)
  const isQuoted = ({ productId, featureValues }: StoredLine) =>
    featureValues.some(
      ({ featureCode, metricName, usageTiers }) =>
        isPaidFor(productId, usageTiers) ||
        (productId === metric.product_id && (metricName ?? ownNames.get(featureCode)) === metric.metric_name),
    )
  const quotingSets = (await planSetsOf(readable, tenantId, suites))
    .filter((set) => !isDraft(set))
    .filter(({ plans }) => plans.some(({ lineItems }) => lineItems.some(isQuoted)))
  const quotingAddOns = (await addOnsOf(readable, tenantId, suites))
    .filter((addOn) => !isDraft(addOn))
    .filter(({ values }) => values.some(({ usageTiers }) => isPaidBy(usageTiers)))
  const paidMetrics = assets.filter(({ productId, usageTiers }) => isPaidFor(productId, usageTiers))
  return [...quotingSets, ...quotingAddOns, ...paidMetrics].map(({ key }) => key)
}

/** The metrics that a product's features report under where a plan names none, by feature code. */
async function metricNamesOf(readable: Readable, tenantId: string, productId: string) {
  const entries = await listEntriesOf(readable, tenantId, [productId])
  const attached = (await listAttachedFeatures(readable, tenantId, [productId])).get(productId) ?? []
  return new Map([
    ...entries.map(({ featureCode, metricName }) => [featureCode, metricName] as const),
    ...attached.flatMap(({ featureCode, usageMetric }) => (usageMetric ? [[featureCode, usageMetric] as const] : [])),
  ])
}

/** The assets of the catalog that these products have beside a metric, by key. */
async function assetsBeside(readable: Readable, tenantId: string, { id }: AskedMetric, productIds: readonly string[]) {
  const rows = await readable
    .selectFrom('metrics')
    .innerJoin('products', 'products.id', 'metrics.product_id')
    .select(['product_id', 'product_code', 'product_version', 'metric_name', 'metered_usage', 'balance_usage'])
    .where('metrics.tenant_id', '=', tenantId)
    .where(isAmong(readable, 'product_id', listed(readable, productIds)))
    .where('metrics.is_deleted', '=', no)
    .where('metrics.id', '!=', id)
    .execute()
  return rows.map((row) => ({
    key: keyOf('monitoredAsset', {
      productCode: row.product_code,
      productVersion: row.product_version,
      metricName: row.metric_name,
    }),
    productId: row.product_id,
    metricName: row.metric_name,
    isBalance: row.balance_usage !== null,
    usageTiers: row.metered_usage === null ? [] : (JSON.parse(row.metered_usage) as MeteredUsage).usageTiers,
  }))
}
