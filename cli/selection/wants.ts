import { keyOf, keyText, type ProductName, productText } from '../../catalog-schema/keys.ts'
import { tagScopeOf } from '../../catalog-schema/planning/filling-in.ts'
import type { MergedItem } from '../../catalog-schema/planning/merging.ts'
import type { MergedItems } from './needs.ts'

type Item = Record<string, unknown>

/**
 * The items of the merged catalog that an item names by a bare name and does nothing without: tags that would otherwise
 * be created bare, the metrics under which usage is reported and paid, the features that a product gives values to, and
 * the plans on which an add-on acts. An import without them is accepted, with a warning at most.
 */
export function wantedBy(items: MergedItems, item: Pick<MergedItem, 'kind' | 'after'>): MergedItem[] {
  const wanted = [
    ...tagsOf(items, item),
    ...metricsOf(items, item),
    ...valuedBy(items, item),
    ...targetsOf(items, item),
  ]
  return [...new Set(wanted.filter((found) => found !== undefined))]
}

type Named = readonly (MergedItem | undefined)[]

function tagsOf(items: MergedItems, { kind, after }: Pick<MergedItem, 'kind' | 'after'>): Named {
  const scope = tagScopeOf[kind]
  if (scope === undefined) return []
  return (after.tags as string[])
    .map((name) => items.find('tag', keyOf('tag', { scope, name })))
    .filter((tag) => tag?.action === 'create')
}

/** The features that a product gives values to, which are of their types. */
function valuedBy(items: MergedItems, { kind, after }: Pick<MergedItem, 'kind' | 'after'>): Named {
  if (kind !== 'product') return []
  const own = productText(after as unknown as ProductName)
  return listed(after.features)
    .filter(({ value }) => value !== null)
    .map(({ featureCode }) => items.find('feature', `feature:${own}/${keyText(String(featureCode))}`))
}

/** The metrics that an item names, each of the product that the name is about. */
function metricsOf(items: MergedItems, { kind, after }: Pick<MergedItem, 'kind' | 'after'>): Named {
  const metric = (product: string, name: unknown) =>
    typeof name === 'string' ? items.find('monitoredAsset', `metric:${product}/${keyText(name)}`) : undefined
  const paying = (product: string, tiers: unknown) =>
    listed(tiers).map(({ fundingBalanceMetric }) => metric(product, fundingBalanceMetric))
  const own = productText(after as unknown as ProductName)
  if (kind === 'feature') return [metric(own, after.metricName)]
  if (kind === 'product') return listed(after.features).map(({ usageMetric }) => metric(own, usageMetric))
  if (kind === 'monitoredAsset') return paying(own, (after.meteredUsage as Item | null)?.usageTiers)
  if (kind === 'planSet')
    return linesOf(after).flatMap(({ product, values }) =>
      values.flatMap(({ metricName, usageTiers }) => [metric(product, metricName), ...paying(product, usageTiers)]),
    )
  if (kind === 'addOn') {
    const members = items.result.membersOf(String(after.suiteCode)) ?? []
    return listed(after.featureValues).flatMap(({ usageTiers }) =>
      members.flatMap((member) => paying(member, usageTiers)),
    )
  }
  return []
}

const linesOf = (planSet: Item) =>
  listed(planSet.plans)
    .flatMap(({ lineItems }) => listed(lineItems))
    .filter(({ productCode }) => typeof productCode === 'string')
    .map((line) => ({
      product: productText(line as unknown as ProductName),
      values: listed(line.featureValues),
    }))

/** The plan sets of an add-on's suite that have a plan on which it acts. */
function targetsOf(items: MergedItems, { kind, after }: Pick<MergedItem, 'kind' | 'after'>): Named {
  if (kind !== 'addOn') return []
  const targets = new Set(listed(after.featureValues).flatMap(({ planTargets }) => planTargets as string[]))
  if (targets.size === 0) return []
  return items.all.filter(
    (one) =>
      one.kind === 'planSet' &&
      one.after.suiteCode === after.suiteCode &&
      listed(one.after.plans).some(({ name }) => targets.has(String(name))),
  )
}

const listed = (value: unknown) => (Array.isArray(value) ? (value as Item[]) : [])
