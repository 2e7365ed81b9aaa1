import type { CatalogReport, ReportItem } from '../tasks/catalog-report.ts'
import { type Guard, guardedIn } from '../tasks/guards.ts'

const words: Record<Guard, string> = {
  'price-change': 'a price change',
  retire: 'ends what is sold',
  revalue: 'changes what was sold',
  unlock: 'unlocks the product',
}

/** Tells what the guarded changes of an item of a report do, in words, by the path of the change. */
export function guardWordsIn(report: Pick<CatalogReport, 'items'>): (item: ReportItem) => ReadonlyMap<string, string> {
  const guarded = guardedIn(report)
  return (item) => new Map(guarded(item).map(({ path, guard }) => [path, words[guard]]))
}
