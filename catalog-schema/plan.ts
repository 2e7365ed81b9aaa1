import type { CatalogModel } from './model.ts'
import { inImportOrder } from './planning/import-order.ts'
import type { ImportPlan } from './planning/import-plan.ts'
import { judgeItems } from './planning/judging.ts'
import { judgeLeftBehind } from './planning/left-behind.ts'
import { judgeLostBalances } from './planning/lost-balances.ts'
import { mergeSnapshot } from './planning/merging.ts'
import { ancestryIn } from './planning/parents.ts'
import type { Snapshot } from './snapshot-format.ts'

export type { ImportPlan, PlanError, PlannedItem, PlanWarning } from './planning/import-plan.ts'

/**
 * Decides what importing a snapshot (of checked shape) into an environment creates, updates and leaves, in the order in
 * which it can be written. Neither the snapshot nor the environment is changed, and an import never removes anything.
 * The keys in `trusted` need not be looked for: offline, that is against an empty environment, what the snapshot states
 * as External; a real environment must have it.
 */
export function planImport(
  environment: CatalogModel,
  snapshot: Snapshot,
  trusted: readonly string[] = environment.isEmpty ? statedExternal(snapshot) : [],
): ImportPlan {
  const merging = mergeSnapshot(environment, snapshot)
  const ancestryOf = ancestryIn(merging.result)
  const ordered = inImportOrder(merging.items, ancestryOf)
  merging.result.trust(trusted)
  const judged = judgeItems(ordered, merging.result, ancestryOf)
  return {
    items: ordered.map(({ index: _place, ...item }) => item),
    onlyHere: merging.onlyHere,
    errors: [
      ...merging.errors,
      ...judged.errors,
      ...judgeLeftBehind(ordered, environment, merging.result),
      ...judgeLostBalances(ordered, environment, merging.result),
    ],
    warnings: judged.warnings,
  }
}

/** The keys that a snapshot states as External: named in it, and expected to be where it is going. */
export const statedExternal = ({ references = {} }: Snapshot): string[] =>
  Object.entries(references)
    .filter(([, reference]) => reference.presence === 'External')
    .map(([key]) => key)
