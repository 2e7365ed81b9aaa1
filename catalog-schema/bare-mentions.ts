import { keyOf, keyText, type ProductName, productText } from './keys.ts'
import type { Kind } from './order.ts'
import { tagScopeOf } from './planning/filling-in.ts'

type Fields = Readonly<Record<string, unknown>>

/** The products of a suite as they are named in key strings; undefined when the suite is not known. */
type MembersOf = (suiteCode: string) => readonly string[] | undefined

/**
 * What a canonical item names without saying of which product, or is imported without: its tags, which naming creates, the
 * metrics under which usage is reported and paid, each of the product that the name is about (an add-on's of every product
 * of its suite), and the features that an add-on gives values to, in whichever of those products they are. None need exist.
 */
export function bareMentionsOf(kind: Kind, item: object, membersOf: MembersOf): { kind: Kind; key: string }[] {
  const scope = tagScopeOf[kind]
  const tags = scope === undefined ? [] : ((item as Fields).tags as string[])
  return [
    ...tags.map((name) => ({ kind: 'tag' as const, key: keyOf('tag', { scope, name }) })),
    ...(kind === 'addOn' ? featuresValuedBy(item as Fields, membersOf) : []),
    ...metricsNamedBy(kind, item as Fields, membersOf).flatMap(({ product, name }) =>
      typeof name === 'string' ? [{ kind: 'monitoredAsset' as const, key: `metric:${product}/${keyText(name)}` }] : [],
    ),
  ]
}

function featuresValuedBy(addOn: Fields, membersOf: MembersOf) {
  const members = membersOf(String(addOn.suiteCode)) ?? []
  return listed(addOn.featureValues).flatMap(({ featureCode }) =>
    members.map((one) => ({ kind: 'feature' as const, key: `feature:${one}/${keyText(String(featureCode))}` })),
  )
}

/** A metric as an item names it; the name may be null. */
interface NamedMetric {
  product: string
  name: unknown
}

function metricsNamedBy(kind: Kind, item: Fields, membersOf: MembersOf): NamedMetric[] {
  switch (kind) {
    case 'feature':
      return [{ product: textOf(item), name: item.metricName }]
    case 'product':
      return listed(item.features).map(({ usageMetric }) => ({ product: textOf(item), name: usageMetric }))
    case 'monitoredAsset':
      return paying(textOf(item), (item.meteredUsage as Fields | null)?.usageTiers)
    case 'planSet':
      return listed(item.plans).flatMap(({ lineItems }) => listed(lineItems).flatMap(metricsOfLine))
    case 'addOn': {
      const members = membersOf(String(item.suiteCode)) ?? []
      return listed(item.featureValues).flatMap(({ usageTiers }) => members.flatMap((one) => paying(one, usageTiers)))
    }
    default:
      return []
  }
}

function metricsOfLine(line: Fields): NamedMetric[] {
  if (typeof line.productCode !== 'string') return []
  const product = textOf(line)
  return listed(line.featureValues).flatMap(({ metricName, usageTiers }) => [
    { product, name: metricName },
    ...paying(product, usageTiers),
  ])
}

/** The balances that pay for tiers. */
const paying = (product: string, tiers: unknown): NamedMetric[] =>
  listed(tiers).map(({ fundingBalanceMetric }) => ({ product, name: fundingBalanceMetric }))

const textOf = (item: Fields) => productText(item as unknown as ProductName)
const listed = (value: unknown) => (Array.isArray(value) ? (value as Fields[]) : [])
