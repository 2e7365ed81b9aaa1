import type { CatalogReport, ReportItem } from '../tasks/catalog-report.ts'
import { type Guard, guardedChanges } from '../tasks/guards.ts'

const words: Record<Guard, string> = {
  'price-change': 'a price change',
  retire: 'ends what is sold',
  revalue: 'changes what was sold',
  unlock: 'unlocks the product',
}

/** What the guarded changes of an item do, in words, by the path of the change. */
export function guardWords(item: ReportItem): ReadonlyMap<string, string> {
  const items: CatalogReport['items'] = [item]
  return new Map(guardedChanges({ items }).map(({ path, guard }) => [path, words[guard]]))
}
