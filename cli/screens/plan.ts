import type { PlanFile } from '../plan-files/plan-file.ts'
import { guardsNeeded } from '../prompts/guarding.ts'
import type { Comparison } from '../tasks/compare.ts'
import { visible } from '../visible-text.ts'

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

/** Where a plan comes from and what it is told by, as lines below its picture. */
export function originLines({ digest, git, files, promotedFrom }: PlanFile): string[] {
  const names = Object.keys(files)
  const revision = git && `git ${git.revision}${git.dirty ? ' with changes that are not committed' : ''}`
  const from = promotedFrom
    ? `promoted from ${promotedFrom.environment ?? `tenant ${promotedFrom.tenantId}`}`
    : [`${names.length} file${names.length === 1 ? '' : 's'}`, revision].filter(Boolean).join(', ')
  return [`From: ${from}`, `Plan: ${digest}`].map((line) => visible(line))
}

/** What was written, and the command that applies it with the words that it will ask for. */
export function applyHint(
  plan: PlanFile,
  path: string,
  environment: { name: string | null; protected: boolean },
): string[] {
  const wrote = `Wrote ${path} (${plan.digest.slice(0, 'sha256:'.length + 12)}).`
  if (plan.items.length === 0) return [visible(wrote)]
  const words = [`licet catalog apply ${path}`]
  if (environment.protected && environment.name !== null) words.push(`--confirm ${environment.name}`)
  words.push(...guardsNeeded(environment, plan))
  return [wrote, `Next: ${words.join(' ')}`].map((line) => visible(line))
}
