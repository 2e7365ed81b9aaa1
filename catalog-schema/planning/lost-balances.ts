import type { AddOn } from '../add-on.ts'
import { keyOf, type ProductName, productText } from '../keys.ts'
import type { Metric } from '../metric.ts'
import type { CatalogModel } from '../model.ts'
import type { Kind } from '../order.ts'
import type { PlanSet } from '../plan-set.ts'
import type { UsageTier } from '../usage-tier.ts'
import { type PlanError, planError } from './import-plan.ts'
import type { MergedItem } from './merging.ts'

/** Balances that an import takes away from those they would still pay for after it. */
export function judgeLostBalances(
  items: readonly MergedItem[],
  environment: CatalogModel,
  result: CatalogModel,
): PlanError[] {
  return items.flatMap((item) => {
    if (item.kind !== 'monitoredAsset' || !item.before?.balanceUsage || item.after.balanceUsage) return []
    const users = usersOfBalance(item.after as unknown as Metric, environment, result)
    if (users.length === 0) return []
    return [planError(item, 'catalog.in_use', '/balanceUsage', `the balance still pays for ${users.join(', ')}`)]
  })
}

/**
 * Those that a balance pays for, by key: plan sets and add-ons, released or retired, and other metrics, as the import leaves
 * them. A balance may pay for the other products of a suite, but for those that have a balance of that name themselves.
 */
function usersOfBalance(
  { productCode, productVersion, metricName }: Metric,
  environment: CatalogModel,
  result: CatalogModel,
): string[] {
  const product = productText({ productCode, productVersion })
  const inResult = <Item>(kind: Kind) =>
    [...environment.entries(kind)].map(({ key, item }) => ({ key, item: (result.find(kind, key) ?? item) as Item }))
  const membersBeside = (suiteCode: string) => {
    const members = result.membersOf(suiteCode) ?? []
    return members.includes(product) ? members : []
  }
  const isPaid = (tiers: readonly UsageTier[]) =>
    tiers.some(({ fundingBalanceMetric }) => fundingBalanceMetric === metricName)
  const isPaidFor = (paid: ProductName, tiers: readonly UsageTier[]) =>
    isPaid(tiers) && !result.find('monitoredAsset', keyOf('monitoredAsset', { ...paid, metricName }))?.balanceUsage
  const isReleased = ({ suiteCode, status }: { suiteCode: string; status: string }) =>
    status !== 'Draft' && membersBeside(suiteCode).length > 0

  const sets = inResult<PlanSet>('planSet').filter(
    ({ item }) =>
      isReleased(item) &&
      item.plans
        .flatMap(({ lineItems }) => lineItems)
        .some(
          (line) =>
            line.productCode !== null &&
            line.featureValues.some(({ usageTiers }) => isPaidFor(line as ProductName, usageTiers)),
        ),
  )
  const addOns = inResult<AddOn>('addOn').filter(
    ({ item }) => isReleased(item) && item.featureValues.some(({ usageTiers }) => isPaid(usageTiers)),
  )
  const beside = new Set([
    product,
    ...inResult<{ code: string }>('suite').flatMap(({ item }) => membersBeside(item.code)),
  ])
  const metrics = inResult<Metric>('monitoredAsset').filter(
    ({ item }) =>
      beside.has(productText(item)) && item.meteredUsage !== null && isPaidFor(item, item.meteredUsage.usageTiers),
  )
  return [...sets, ...addOns, ...metrics].map(({ key }) => key)
}
