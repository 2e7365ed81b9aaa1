import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ChosenEnvironment, environmentName } from '../environments/choosing.ts'
import { gitRevisionOf } from '../plan-files/git-revision.ts'
import { type PlanFile, planLimit, planText } from '../plan-files/plan-file.ts'
import { isReadWith } from '../plan-files/plan-place.ts'
import { type PlanOrigin, planOf } from '../plan-files/planning.ts'
import { Problem } from '../problems.ts'
import type { Patterns } from '../selection/patterns.ts'
import { readLocalCatalog } from '../sides/local-catalog.ts'
import type { Side } from '../sides/side.ts'
import { writeWhole } from '../whole-files.ts'
import { type ComparedCatalog, compareSnapshot, exportCatalog } from './compare.ts'
import { refuseErrors } from './report-errors.ts'

/** The plan of making an environment's catalog like another side, and the comparison it was made of; changes nothing. */
export async function makePlan(
  environment: ChosenEnvironment,
  wanted: Side,
  patterns: Patterns,
): Promise<{ plan: PlanFile; comparison: ComparedCatalog }> {
  const { catalog, origin } = await readWanted(wanted)
  const comparison = await compareSnapshot(environment, catalog, patterns)
  refuseErrors(comparison)
  return { plan: planOf(comparison, environment.name, origin), comparison }
}

async function readWanted(wanted: Side) {
  if (wanted.kind === 'files') {
    const catalog = await readLocalCatalog(wanted.path)
    const origin: PlanOrigin = { promotedFrom: null, git: await gitRevisionOf(wanted.path), files: catalog.files }
    return { catalog, origin }
  }
  const snapshot = await exportCatalog(wanted.environment)
  const { name } = wanted.environment
  const promotedFrom = { environment: name, tenantId: snapshot.sourceTenantId ?? null }
  const origin: PlanOrigin = { promotedFrom, git: null, files: [] }
  return { catalog: { name: environmentName(wanted.environment), snapshot }, origin }
}

/**
 * Writes a plan whole, in the place of an earlier plan too. Raises cli.output for a name that the catalog's own
 * directory would take for one of its files, or that something else has, which only `force` overwrites, and for a plan
 * that is too large to be read.
 */
export async function writePlan(path: string, plan: PlanFile, catalog: Side, force: boolean): Promise<void> {
  if (catalog.kind === 'files' && isReadWith(catalog.path, path)) {
    throw new Problem('cli.output', `In "${catalog.path}", ${path} would be taken for a file of the catalog.`, {
      hint: `--out ${join(dirname(catalog.path) === '.' ? '..' : dirname(catalog.path), 'plan.json')}, or a name that ends otherwise, such as plan.licet`,
    })
  }
  if (!force && (await isSomethingElse(path))) {
    throw new Problem('cli.output', `${path} is there already and is no plan; nothing was written.`, {
      hint: '--force replaces it',
    })
  }
  const text = planText(plan)
  const size = Buffer.byteLength(text)
  if (size > planLimit) {
    throw new Problem('cli.output', `The plan would have ${size} bytes, and no more than ${planLimit} are read.`, {
      hint: '--only and --exclude plan a part',
    })
  }
  await writeWhole(path, text)
}

async function isSomethingElse(path: string): Promise<boolean> {
  const found = await stat(path).catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (found === undefined) return false
  return !found.isFile() || !/^\s*\{\s*"licetPlan":/.test(await readFile(path, 'utf8'))
}
