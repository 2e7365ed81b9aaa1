import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { Problem } from '../problems.ts'
import type { ReviewHeading } from '../screens/review/review-frame.ts'
import type { CatalogReport } from '../tasks/catalog-report.ts'
import { guardedChanges } from '../tasks/guards.ts'
import { canAsk } from './asking.ts'
import { flagsOf, type GuardWords } from './guarding.ts'

/** The smallest terminal that a review is shown on. */
const least = { columns: 30, rows: 8 }

/** Whether a change can be reviewed item by item: somebody can be asked, on a terminal that can be drawn on. */
export function canReview(): boolean {
  const { columns = 80, rows = 24 } = process.stderr
  return canAsk() && process.env.TERM !== 'dumb' && columns >= least.columns && rows >= least.rows
}

interface Reviewed {
  report: CatalogReport
  /** What would be applied. */
  snapshot: Snapshot
  heading: ReviewHeading
  environment: { name: string | null; protected: boolean }
  /** What was allowed beforehand. */
  words: GuardWords
}

/** Returns when the change that is shown item by item was approved. Raises cli.failed when it was left. */
export async function reviewChange({ report, snapshot, heading, environment, words }: Reviewed): Promise<void> {
  // ink and react are loaded only where a screen is shown.
  const [{ reviewItems }, { showReview }] = await Promise.all([
    import('../screens/review/review-items.ts'),
    import('../screens/review/review-screen.ts'),
  ])
  const guarded = environment.protected ? guardedChanges(report) : []
  const byKey = Map.groupBy(guarded, ({ key }) => key)
  const needs = new Map([...byKey].map(([key, changes]) => [key, flagsOf(changes)]))
  const missing = flagsOf(guarded.filter(({ guard }) => words[`allow-${guard}`] !== true))
  const nameToType = environment.protected ? environment.name : null
  const ending = await showReview({ heading, items: reviewItems(report, snapshot, needs), nameToType, missing })
  if (ending === 'left') throw new Problem('cli.failed', 'It was left without approval; nothing was changed.')
}
