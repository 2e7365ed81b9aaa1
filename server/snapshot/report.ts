import type { Kind } from '../../catalog-schema/order.ts'
import type { ImportPlan, PlannedItem } from '../../catalog-schema/plan.ts'
import { formatVersion } from '../../catalog-schema/snapshot.ts'
import { toInstant } from '../kit/clock.ts'
import { fingerprintOf } from './fingerprint.ts'

export interface Compared {
  at: number
  sourceTenantId: string | null
  targetTenantId: string
  environmentRevision: string
}

/** The kinds whose changes can touch live entitlements. */
const touching = new Set<Kind>(['product', 'feature', 'monitoredAsset', 'planSet', 'addOn', 'entitlementOffer'])

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
    items: plan.items.filter((item) => includeUnchanged || item.action !== 'unchanged').map(reportItem),
    onlyHere: plan.onlyHere,
    errors: plan.errors.map(({ key, path, code, codeName, message }) => ({ key, path, code, codeName, message })),
    warnings: plan.warnings.map(({ key, path, code, message }) => ({ key, path, code, message })),
  }
}

function reportItem({ kind, key, action, before, changes }: PlannedItem) {
  return {
    kind,
    key,
    action,
    ...(action === 'update' ? { changes } : {}),
    fingerprint: before === undefined ? null : fingerprintOf(before),
    ...(touching.has(kind) ? { affects: { entitlements: 0 } } : {}),
  }
}
