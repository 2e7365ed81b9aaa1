import { isDeepStrictEqual } from 'node:util'
import type { CatalogReport } from '../tasks/catalog-report.ts'
import type { PlanFile } from './plan-file.ts'

/** How an environment stands to a plan. */
export interface Standing {
  /** Keys that are as the plan makes them. */
  done: string[]
  /** Keys that are as they were when it was made. */
  pending: string[]
  /** Keys that are neither, and keys that it would change and does not show. */
  moved: string[]
}

/** How an environment stands to a plan, by what comparing the plan's snapshot with it says now. */
export function standingOf(plan: Pick<PlanFile, 'items'>, now: Pick<CatalogReport, 'items'>): Standing {
  const standing: Standing = { done: [], pending: [], moved: [] }
  const changing = new Map(now.items.filter(({ action }) => action !== 'unchanged').map((item) => [item.key, item]))
  for (const planned of plan.items) {
    const found = changing.get(planned.key)
    changing.delete(planned.key)
    if (found === undefined) standing.done.push(planned.key)
    else if (
      found.action === planned.action &&
      (found.fingerprint ?? null) === planned.fingerprint &&
      isDeepStrictEqual(found.changes ?? [], planned.changes ?? [])
    )
      standing.pending.push(planned.key)
    else standing.moved.push(planned.key)
  }
  return { ...standing, moved: [...standing.moved, ...changing.keys()] }
}
