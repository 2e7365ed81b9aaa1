import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { Problem } from '../problems.ts'
import type { ReviewHeading } from '../screens/review/review-frame.ts'
import type { CatalogReport } from '../tasks/catalog-report.ts'
import { canAsk } from './asking.ts'

/** The smallest terminal that a review is shown on. */
const least = { columns: 30, rows: 8 }

/** Whether a change can be reviewed item by item: somebody can be asked, on a terminal that can be drawn on. */
export function canReview(variables: NodeJS.ProcessEnv = process.env): boolean {
  const { columns = 80, rows = 24 } = process.stderr
  return canAsk(variables) && variables.TERM !== 'dumb' && columns >= least.columns && rows >= least.rows
}

/** Returns when the change that is shown item by item was approved. Raises cli.failed when it was left. */
export async function reviewChange(
  { report, snapshot }: { report: CatalogReport; snapshot: Snapshot },
  heading: ReviewHeading,
  environment: { name: string | null; protected: boolean },
): Promise<void> {
  // ink and react are loaded only where a screen is shown.
  const [{ reviewItems }, { showReview }] = await Promise.all([
    import('../screens/review/review-items.ts'),
    import('../screens/review/review-screen.ts'),
  ])
  const nameToType = environment.protected ? environment.name : null
  const ending = await showReview({ heading, items: reviewItems(report, snapshot), nameToType, missing: [] })
  if (ending === 'left') throw new Problem('cli.failed', 'It was left without approval; nothing was changed.')
}
