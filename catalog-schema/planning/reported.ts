import type { ImportPlan, PlannedItem } from './import-plan.ts'

/** What compare and import say of a plan, wherever it was made; `sayMore` adds to an item what only a server knows. */
export function reportedPlan<More extends object>(
  plan: ImportPlan,
  includeUnchanged: boolean,
  sayMore: (item: PlannedItem) => More,
) {
  const count = (action: PlannedItem['action']) => plan.items.filter((item) => item.action === action).length
  return {
    summary: {
      create: count('create'),
      update: count('update'),
      unchanged: count('unchanged'),
      onlyHere: plan.onlyHere.length,
      errors: plan.errors.length,
      warnings: plan.warnings.length,
    },
    items: plan.items
      .filter((item) => includeUnchanged || item.action !== 'unchanged')
      .map((item) => ({
        kind: item.kind,
        key: item.key,
        action: item.action,
        ...(item.action === 'update' ? { changes: item.changes } : {}),
        ...sayMore(item),
      })),
    onlyHere: plan.onlyHere,
    errors: plan.errors.map(({ key, path, code, codeName, message }) => ({ key, path, code, codeName, message })),
    warnings: plan.warnings.map(({ key, path, code, message }) => ({ key, path, code, message })),
  }
}
