import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { touchedEntitlements, touchedWords } from '../screens/touched.ts'
import { hasChanges } from '../tasks/catalog-report.ts'
import type { Comparison } from '../tasks/compare.ts'
import { type Confirmation, confirmChange } from './confirming.ts'
import { type GuardWords, refuseGuarded } from './guarding.ts'
import { canReview, reviewChange } from './reviewing.ts'

/** A change that waits for a person's word. */
export interface Approval extends Omit<Confirmation, 'question'>, GuardWords {
  /** What is about to happen, such as `Import into staging`. */
  deed: string
  /** What would be applied; where it is given, whoever is asked on a terminal can look at it item by item. */
  snapshot?: Snapshot
}

/**
 * Returns when what a comparison shows may go ahead: approved on the spot, or beforehand by --yes and --confirm, and
 * by the guard flags in a protected environment. Raises as confirmChange and refuseGuarded do; nothing has been changed
 * then.
 */
export async function approve(comparison: Pick<Comparison, 'report'>, approval: Approval): Promise<void> {
  const { deed, snapshot, environment, yes, confirm } = approval
  const { report } = comparison
  if (snapshot === undefined || yes || confirm !== undefined || !canReview()) {
    refuseGuarded(environment, report, approval)
    return confirmChange({ question: questionOf(comparison, deed), ...approval })
  }
  const title = report.environmentRevision ? `${deed} (at revision ${report.environmentRevision})` : deed
  return reviewChange({
    report,
    snapshot,
    heading: { title, summary: extentOf(comparison) },
    environment,
    words: approval,
  })
}

/** The deed as a question, with how much it changes and whom it touches. */
const questionOf = (comparison: Pick<Comparison, 'report'>, deed: string) =>
  hasChanges(comparison.report) ? `${deed}: ${extentOf(comparison)}?` : `${deed}?`

/** How much is changed, and how many live entitlements that touches. */
function extentOf({ report }: Pick<Comparison, 'report'>): string {
  const { create, update } = report.summary
  const touched = touchedEntitlements({ items: report.items.filter(({ action }) => action === 'update') })
  const note = touched.count === 0 ? '' : ` (touches ${touchedWords(touched)})`
  return `${create} to create, ${update} to update${note}`
}
