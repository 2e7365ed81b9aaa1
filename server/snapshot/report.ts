import type { ImportPlan, PlannedItem } from '../../catalog-schema/plan.ts'
import { formatVersion } from '../../catalog-schema/snapshot-format.ts'
import { toInstant } from '../kit/clock.ts'
import { canAffect } from './affects.ts'
import { fingerprintOf } from './fingerprint.ts'

export interface Compared {
  at: number
  sourceTenantId: string | null
  targetTenantId: string
  environmentRevision: string
  /** How many live entitlements each change touches, by key. */
  affected: ReadonlyMap<string, number>
}

export type Report = ReturnType<typeof reportOf>

/** What a plan says, as compare and import answer it. */
export function reportOf(plan: ImportPlan, compared: Compared, includeUnchanged = false) {
  const count = (action: PlannedItem['action']) => plan.items.filter((item) => item.action === action).length
  return {
    formatVersion,
    comparedAt: toInstant(compared.at),
    sourceTenantId: compared.sourceTenantId,
    targetTenantId: compared.targetTenantId,
    environmentRevision: compared.environmentRevision,
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
      .map((item) => reportItem(item, compared.affected)),
    onlyHere: plan.onlyHere,
    errors: plan.errors.map(({ key, path, code, codeName, message }) => ({ key, path, code, codeName, message })),
    warnings: plan.warnings.map(({ key, path, code, message }) => ({ key, path, code, message })),
  }
}

function reportItem({ kind, key, action, before, changes }: PlannedItem, affected: Compared['affected']) {
  return {
    kind,
    key,
    action,
    ...(action === 'update' ? { changes } : {}),
    fingerprint: before === undefined ? null : fingerprintOf(before),
    ...(canAffect(kind) ? { affects: { entitlements: affected.get(key) ?? 0 } } : {}),
  }
}
