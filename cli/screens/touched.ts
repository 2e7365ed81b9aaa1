import { counted } from '../counting.ts'
import type { CatalogReport } from '../tasks/catalog-report.ts'

/** How many live entitlements changes touch; not exact when several items touch some, which may be the same ones. */
export interface Touched {
  count: number
  isExact: boolean
}

/** The live entitlements that all changes of a report touch together. */
export function touchedEntitlements({ items }: Pick<CatalogReport, 'items'>): Touched {
  const counts = items.map(({ affects }) => affects?.entitlements ?? 0).filter((count) => count > 0)
  return { count: counts.reduce((sum, count) => sum + count, 0), isExact: counts.length < 2 }
}

/** `212 live entitlements`, or `up to 212` where some may be counted twice. */
export const touchedWords = ({ count, isExact }: Touched) =>
  `${isExact ? '' : 'up to '}${counted(count, 'live entitlement')}`
