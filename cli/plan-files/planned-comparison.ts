import type { Comparison } from '../tasks/compare.ts'
import type { PlanFile } from './plan-file.ts'

/** What a plan shows, as the comparison that it was made of; `name` is what the plan is called. */
export function comparisonIn(plan: PlanFile, name: string): Comparison {
  const { target, promotedFrom, summary, items, onlyHere, warnings, selection } = plan
  return {
    report: {
      formatVersion: plan.snapshot.formatVersion,
      comparedAt: '',
      sourceTenantId: promotedFrom?.tenantId ?? null,
      targetTenantId: target.tenantId,
      environmentRevision: null,
      summary,
      items,
      onlyHere,
      errors: [],
      warnings,
    },
    before: {
      name: target.environment ?? `tenant ${target.tenantId}`,
      tenant: target.environment === null ? null : target.tenantId,
    },
    after: { name: promotedFrom?.environment ?? name, isFiles: promotedFrom === null },
    milliseconds: null,
    placeOf(key) {
      const place = Object.hasOwn(plan.places, key) ? plan.places[key] : undefined
      return place && { ...place, col: 1, frame: '' }
    },
    ...(selection && { selection }),
  }
}
