import { hasChanges } from '../tasks/catalog-report.ts'
import type { Comparison } from '../tasks/compare.ts'
import { type Confirmation, confirmChange } from './confirming.ts'

/** A change that waits for a person's word. */
export interface Approval extends Omit<Confirmation, 'question'> {
  /** What is about to happen, such as `Import into staging`. */
  deed: string
}

/**
 * Returns when what a comparison shows may go ahead: approved on the spot, or beforehand by --yes and --confirm. Raises
 * as confirmChange does; nothing has been changed then.
 */
export async function approve(comparison: Pick<Comparison, 'report'>, approval: Approval): Promise<void> {
  await confirmChange({ question: questionOf(comparison, approval.deed), ...approval })
}

/** The deed as a question, with how much it changes and whom it touches. */
export function questionOf({ report }: Pick<Comparison, 'report'>, deed: string): string {
  if (!hasChanges(report)) return `${deed}?`
  const { create, update } = report.summary
  const touching = report.items.flatMap(({ action, affects }) =>
    action === 'update' ? (affects?.entitlements ?? 0) : 0,
  )
  const touched = touching.reduce((sum, each) => sum + each, 0)
  // One entitlement may be touched by several items.
  const upTo = touching.filter((each) => each > 0).length > 1 ? 'up to ' : ''
  const note = touched === 0 ? '' : ` (touches ${upTo}${touched} live entitlement${touched === 1 ? '' : 's'})`
  return `${deed}: ${create} to create, ${update} to update${note}?`
}
