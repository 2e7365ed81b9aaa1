import type { ImportPlan } from '../../catalog-schema/plan.ts'
import { reportedPlan } from '../../catalog-schema/planning/reported.ts'
import { formatVersion } from '../../catalog-schema/snapshot-format.ts'
import { toInstant } from '../kit/instants.ts'
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
  return {
    formatVersion,
    comparedAt: toInstant(compared.at),
    sourceTenantId: compared.sourceTenantId,
    targetTenantId: compared.targetTenantId,
    environmentRevision: compared.environmentRevision,
    ...reportedPlan(plan, includeUnchanged, ({ kind, key, before }) => ({
      fingerprint: before === undefined ? null : fingerprintOf(before),
      ...(canAffect(kind) ? { affects: { entitlements: compared.affected.get(key) ?? 0 } } : {}),
    })),
  }
}
