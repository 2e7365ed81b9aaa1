import { bareMentionsOf } from '../../catalog-schema/bare-mentions.ts'
import { keyText, type ProductName, productText } from '../../catalog-schema/keys.ts'
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
    ...bareMentionsOf(item.kind, item.after, (suiteCode) => items.result.membersOf(suiteCode))
      .map(({ kind, key }) => items.find(kind, key))
      .filter((found) => found?.kind !== 'tag' || found.action === 'create'),
    ...valuedBy(items, item),
    ...targetsOf(items, item),
  ]
  return [...new Set(wanted.filter((found) => found !== undefined))]
}

type Named = readonly (MergedItem | undefined)[]

/** The features that a product gives values to, which are of their types. */
function valuedBy(items: MergedItems, { kind, after }: Pick<MergedItem, 'kind' | 'after'>): Named {
  if (kind !== 'product') return []
  const own = productText(after as unknown as ProductName)
  return listed(after.features)
    .filter(({ value }) => value !== null)
    .map(({ featureCode }) => items.find('feature', `feature:${own}/${keyText(String(featureCode))}`))
}

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
