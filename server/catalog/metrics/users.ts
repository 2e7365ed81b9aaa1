import { keyOf, type ProductName } from '../../../catalog-schema/keys.ts'
import type { MeteredUsage } from '../../../catalog-schema/metric.ts'
import type { UsageTier } from '../../../catalog-schema/usage-tier.ts'
import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'
import type { StoredLine } from '../plan-sets/stored-plans.ts'
import { listAttachedFeatures } from '../products/attached-features.ts'
import { asCatalogued } from '../products/catalogued-features.ts'
import { listEntriesOf } from '../records/entries-of.ts'
import { addOnsOf, isDraft, planSetsOf, suitesOf } from '../records/speakers.ts'

interface AskedMetric {
  id: string
  product_id: string
  metric_name: string
}

/**
 * Those that need a metric of a product, by key: the product's own Metered features, and plan sets, released or retired, as
 * what a feature reports under; those that need the balance of that name.
 */
export async function usersOfMetric(
  readable: Readable,
  tenantId: string,
  metric: AskedMetric,
  product: ProductName,
): Promise<string[]> {
  const suites = await suitesOf(readable, tenantId, metric.product_id)
  const { attached, reportsUnder } = await featuresOf(readable, tenantId, metric.product_id)
  const isQuoted = ({ productId, featureValues }: StoredLine) =>
    productId === metric.product_id &&
    featureValues.some(
      ({ featureCode, metricName }) => (metricName ?? reportsUnder.get(featureCode)) === metric.metric_name,
    )
  const quotingSets = (await planSetsOf(readable, tenantId, suites))
    .filter((set) => !isDraft(set))
    .filter(({ plans }) => plans.some(({ lineItems }) => lineItems.some(isQuoted)))
  const quotingFeatures = attached
    .filter(({ featureType, usageMetric }) => featureType === 'Metered' && usageMetric === metric.metric_name)
    .map(({ featureCode }) => keyOf('feature', { ...product, featureCode }))
  return [
    ...quotingFeatures,
    ...quotingSets.map(({ key }) => key),
    ...(await usersOfBalance(readable, tenantId, metric)),
  ]
}

/**
 * Those that a balance pays for, by key: plan sets and add-ons, released or retired, and other metrics. A balance may pay for
 * the other products of a suite, but for those that have a balance of that name themselves.
 */
export async function usersOfBalance(readable: Readable, tenantId: string, metric: AskedMetric): Promise<string[]> {
  const suites = await suitesOf(readable, tenantId, metric.product_id)
  const productIds = [...new Set([metric.product_id, ...suites.flatMap(({ memberIds }) => memberIds)])]
  const assets = await assetsBeside(readable, tenantId, metric, productIds)
  const payingThemselves = new Set(
    assets.flatMap(({ productId, metricName, isBalance }) =>
      isBalance && metricName === metric.metric_name ? [productId] : [],
    ),
  )
  const isPaid = (tiers: readonly UsageTier[]) =>
    tiers.some(({ fundingBalanceMetric }) => fundingBalanceMetric === metric.metric_name)
  const isPaidFor = (productId: string, tiers: readonly UsageTier[]) =>
    !payingThemselves.has(productId) && isPaid(tiers)
  const paidSets = (await planSetsOf(readable, tenantId, suites))
    .filter((set) => !isDraft(set))
    .filter(({ plans }) =>
      plans.some(({ lineItems }) =>
        lineItems.some(({ productId, featureValues }) =>
          featureValues.some(({ usageTiers }) => isPaidFor(productId, usageTiers)),
        ),
      ),
    )
  const paidAddOns = (await addOnsOf(readable, tenantId, suites))
    .filter((addOn) => !isDraft(addOn))
    .filter(({ values }) => values.some(({ usageTiers }) => isPaid(usageTiers)))
  const paidMetrics = assets.filter(({ productId, usageTiers }) => isPaidFor(productId, usageTiers))
  return [...paidSets, ...paidAddOns, ...paidMetrics].map(({ key }) => key)
}

/** The features attached to a product, as the feature catalog has them, and what each feature reports under where a plan does not say, by code. */
async function featuresOf(readable: Readable, tenantId: string, productId: string) {
  const entries = await listEntriesOf(readable, tenantId, [productId])
  const entryOf = new Map(entries.map((entry) => [entry.featureCode, entry]))
  const attached = ((await listAttachedFeatures(readable, tenantId, [productId])).get(productId) ?? []).map((feature) =>
    asCatalogued(feature, entryOf.get(feature.featureCode)),
  )
  const reportsUnder = new Map([
    ...entries.map(({ featureCode, metricName }) => [featureCode, metricName] as const),
    ...attached.map(({ featureCode, usageMetric }) => [featureCode, usageMetric] as const),
  ])
  return { attached, reportsUnder }
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
