import type { Kind } from '../order.ts'
import type { Breach } from './rule.ts'

/** A locked product refuses edits; unlocking and editing it at once is fine. */
export function checkLock(kind: Kind, before: Record<string, unknown>, after: Record<string, unknown>): Breach[] {
  if (kind !== 'product' || before.isLocked !== true || after.isLocked !== true) return []
  const message = 'the product is locked: unlock it first, or say isLocked: false'
  return [{ codeName: 'catalog.in_use', path: '/isLocked', message }]
}
