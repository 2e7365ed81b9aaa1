import { type ChosenEnvironment, environmentName, envWords } from '../environments/choosing.ts'
import type { PlanFile } from '../plan-files/plan-file.ts'
import { comparisonIn } from '../plan-files/planned-comparison.ts'
import { type Standing, standingOf } from '../plan-files/standing.ts'
import { Problem } from '../problems.ts'
import { serverClient } from '../server-client.ts'
import { nameAuthors } from './author-names.ts'
import { type CatalogReport, type ImportReport, withoutUnmeant } from './catalog-report.ts'
import { type ComparedCatalog, catalogClient, compareSnapshot, readScope } from './compare.ts'
import type { PastImport } from './history.ts'
import { askWhoMoved, type MovedKey } from './moved-keys.ts'
import { applyShown } from './promote.ts'
import { refuseErrors } from './report-errors.ts'

/** A plan held against the environment that it is to be applied to. */
export interface HeldPlan {
  /** What applying it would change now. */
  comparison: ComparedCatalog
  standing: Standing
  /** When this plan, or another that says the same, was applied there last; undefined when none was. */
  appliedBefore: PastImport | undefined
}

/**
 * Holds a plan against an environment; changes nothing. Raises cli.wrong_tenant before anything is sent when it was made
 * for another tenant, catalog.environment_changed when what it changes has moved, and what the server would refuse.
 */
export async function holdAgainst(environment: ChosenEnvironment, plan: PlanFile, name: string): Promise<HeldPlan> {
  await requireTenant(environment, plan)
  // Before the comparison: who applies it meanwhile has not put anything back.
  const appliedBefore = await findApplied(environment, plan)
  const held = await compareWithPlan(environment, plan, name)
  const { moved, pending } = held.standing
  if (moved.length > 0) throw await movedProblem(environment, plan, [...moved, ...pending], moved)
  refuseErrors(held.comparison)
  return { ...held, appliedBefore }
}

async function findApplied(environment: ChosenEnvironment, plan: PlanFile): Promise<PastImport | undefined> {
  const filter = `source_=${planWords(plan)}`
  const { items } = await catalogClient(environment).imports.list.query({ filter, pageSize: 1 })
  const nameOf = await nameAuthors(
    environment,
    items.map(({ importedBy }) => importedBy),
  )
  return items.map((found) => ({ ...found, importedByName: nameOf(found.importedBy) }))[0]
}

async function compareWithPlan(environment: ChosenEnvironment, plan: PlanFile, name: string) {
  const { placeOf, selection, after } = comparisonIn(plan, name)
  const compared = await compareSnapshot(environment, {
    name: after.name,
    snapshot: plan.snapshot,
    isFiles: true,
    placeOf,
  })
  const standing = standingOf(plan, compared.report)
  // The plan speaks of what it changes alone: what else the environment has is none of its business.
  const report = withoutUnmeant(compared.report, () => false)
  return { comparison: { ...compared, report, ...(selection && { selection }) }, standing }
}

/** Refuses another tenant than the plan's own before the plan goes anywhere. */
async function requireTenant(environment: ChosenEnvironment, { target }: PlanFile): Promise<void> {
  const actual = environment.tenantId ?? (await serverClient(environment, [readScope]).token()).tenantId
  if (actual === target.tenantId) return
  const made = target.environment === null ? '' : ` ("${target.environment}" where it was made)`
  throw new Problem(
    'cli.wrong_tenant',
    `The plan is for tenant ${target.tenantId}${made}, but ${environmentName(environment)} is tenant ${actual ?? 'unknown'}. Nothing was changed.`,
    { hint: 'choose the environment with --env, or make a plan for this one' },
  )
}

/**
 * Applies what a plan still has to change, guarded key by key. Answers without an import id when somebody else has just
 * done the same; raises catalog.environment_changed, with who and when, when a key has moved.
 */
export async function applyPlan(
  environment: ChosenEnvironment,
  plan: PlanFile,
  { report, snapshot }: ComparedCatalog,
): Promise<{ importId: string | null; report: CatalogReport | ImportReport }> {
  try {
    const applied = await applyShown(environment, { snapshot, source: sourceOf(plan) }, report)
    return { importId: applied.importId, report: withoutUnmeant(applied, () => false) }
  } catch (error) {
    if (!(error instanceof Problem) || error.codeName !== 'catalog.environment_changed') throw error
    const now = await compareWithPlan(environment, plan, '')
    if (now.standing.pending.length + now.standing.moved.length === 0)
      return { importId: null, report: now.comparison.report }
    throw staleProblem(environment, plan, (error.details.errors ?? []) as MovedKey[])
  }
}

const planWords = ({ digest }: PlanFile) => `plan ${digest.slice(0, 'sha256:'.length + 12)}`

/** What the history of imports says of where an applied plan came from. */
function sourceOf(plan: PlanFile): string {
  const { git, promotedFrom } = plan
  const origin = git ? `, git ${git.revision.slice(0, 12)}${git.dirty ? ' (dirty)' : ''}` : ''
  const from = promotedFrom?.environment ? `, promoted from ${promotedFrom.environment}` : ''
  return `${planWords(plan)}${origin}${from}`
}

async function movedProblem(
  environment: ChosenEnvironment,
  plan: PlanFile,
  asked: readonly string[],
  moved: readonly string[],
) {
  const expected = plan.items
    .filter(({ key }) => asked.includes(key))
    .map(({ key, fingerprint }) => [key, fingerprint] as const)
  const known = await askWhoMoved(environment, plan.snapshot, Object.fromEntries(expected))
  const byKey = new Map(known.map((one) => [one.key, one]))
  const errors = moved.map(
    (key) => byKey.get(key) ?? { key, changedAt: null, changedBy: null, message: 'changed meanwhile' },
  )
  return staleProblem(environment, plan, errors)
}

function staleProblem(environment: ChosenEnvironment, plan: PlanFile, errors: readonly MovedKey[]): Problem {
  const name = environmentName(environment)
  const count = errors.length === 1 ? 'what the plan changes' : `${errors.length} of the things that the plan changes`
  return new Problem(
    'catalog.environment_changed',
    `${name} has moved since the plan was made: ${count} changed; nothing was applied.`,
    {
      code: 3005,
      hint: `make the plan again and review it: licet catalog plan${envWords(plan.target.environment)} --out FILE`,
      errors: [...errors],
    },
  )
}
