import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import type { AppRouter } from '../../server/router.ts'
import { type ChosenEnvironment, environmentName } from '../environments/choosing.ts'
import { duringPhase, duringWork, expectedMs, tellProgress } from '../progress.ts'
import { routerClient } from '../router-client.ts'
import type { Patterns } from '../selection/patterns.ts'
import type { SelectedPart, Selection } from '../selection/selecting.ts'
import { serverClient } from '../server-client.ts'
import { foreignAnswer } from '../server-connection/answer-body.ts'
import type { FilePlace, LocalCatalog } from '../sides/local-catalog.ts'
import type { Side } from '../sides/side.ts'
import { type CatalogReport, withoutUnmeant } from './catalog-report.ts'

/** Two catalogs held against each other: what is shown, and what an import then does. */
export interface Comparison {
  report: CatalogReport
  /** The side that would change, as people call it. */
  before: { name: string; tenant: string | null }
  /** The side that it would be made like. */
  after: { name: string; isFiles: boolean }
  /** How long the comparing itself took; null where it was done before. */
  milliseconds: number | null
  /** Where the after side has an item, when it is files. */
  placeOf(key: string, path?: string): FilePlace | undefined
  /** What --only and --exclude chose; undefined when they were not given. */
  selection?: Selection
}

/** A comparison with what was compared: the after side, or what was selected of it. */
export type ComparedCatalog = Comparison & { snapshot: Snapshot }

export interface CompareOptions extends Partial<Patterns> {
  includeUnchanged?: boolean
}

/** The scope that comparing and exporting need. */
export const readScope = 'admin.catalog:read'

export const catalogClient = (environment: ChosenEnvironment, scopes: readonly string[] = [readScope]) =>
  routerClient<AppRouter>(serverClient(environment, scopes)).admin.catalog

/** The catalog of an environment, whole or some sections of it. Raises cli.unreadable_answer for what is no snapshot. */
export async function exportCatalog(environment: ChosenEnvironment, scope?: string): Promise<Snapshot> {
  return duringPhase(`Exporting ${environmentName(environment)}`, async () => {
    const asked = catalogClient(environment).export.query(scope === undefined ? {} : { scope })
    const snapshot = (await asked) as Snapshot | null
    if (snapshot?.formatVersion === undefined) throw foreignAnswer(environment.url)
    return snapshot
  })
}

/** Holds a snapshot against an environment; changes nothing. Raises cli.unreadable_answer for what is no report. */
export async function compareWith(
  environment: ChosenEnvironment,
  snapshot: Snapshot,
  { includeUnchanged = false } = {},
): Promise<{ report: CatalogReport; milliseconds: number }> {
  const client = catalogClient(environment)
  return timed(() =>
    duringPhase(`Comparing with ${environmentName(environment)}`, async () => {
      const include = includeUnchanged ? { include: 'unchanged' as const } : {}
      const report = await client.compare.mutate({ snapshot, ...include })
      if (!Array.isArray(report?.items) || !report.summary) throw foreignAnswer(environment.url)
      return report
    }),
  )
}

/** Holds the after side against the before side: by the server of an environment, of files here. */
export async function compareSides(before: Side, after: Side, options: CompareOptions = {}): Promise<ComparedCatalog> {
  const wanted = await read(after)
  if (before.kind === 'environment') return compareSnapshot(before.environment, wanted, options)
  const { name, snapshot } = await readFiles(before.path)
  const { compareSnapshots, itemCount } = await import('./compare-files.ts')
  const part = await selectFrom(wanted, async () => snapshot, options)
  const compared = await timed(() =>
    duringWork('Comparing', () => {
      tellProgress(0, 1, expectedMs.toJudge(itemCount(part.snapshot)))
      return compareSnapshots(snapshot, part.snapshot, options.includeUnchanged)
    }),
  )
  return comparison({ name, tenant: null, ...compared }, part)
}

/** A comparison of a catalog, from files or from another environment, with an environment. */
export async function compareSnapshot(
  environment: ChosenEnvironment,
  catalog: Pick<LocalCatalog, 'name' | 'snapshot'> & Partial<Wanted>,
  options: CompareOptions = {},
): Promise<ComparedCatalog> {
  const part = await selectFrom(catalog, () => exportCatalog(environment), options)
  const compared = await compareWith(environment, part.snapshot, options)
  const { isFiles = catalog.placeOf !== undefined } = part
  return comparison({ ...beforeEnvironment(environment), ...compared }, { ...part, isFiles })
}

type Part = Pick<ComparedCatalog, 'snapshot' | 'selection'> &
  Pick<LocalCatalog, 'name'> &
  Partial<Wanted> &
  Partial<Pick<SelectedPart, 'isMeantOnlyHere'>>

/** What --only and --exclude mean of a catalog, given what is there before; all of it without them. */
async function selectFrom(
  catalog: Pick<LocalCatalog, 'name' | 'snapshot'> & Partial<Wanted>,
  readBefore: () => Promise<Snapshot>,
  { only = [], exclude = [] }: Partial<Patterns>,
): Promise<Part> {
  if (only.length === 0 && exclude.length === 0) return catalog
  const { selectFromSnapshot } = await import('../selection/selecting.ts')
  return { ...catalog, ...selectFromSnapshot(await readBefore(), catalog.snapshot, { only, exclude }) }
}

/** How the before side of a comparison is called, when it is an environment. */
export const beforeEnvironment = (environment: ChosenEnvironment) => ({
  name: environmentName(environment),
  tenant: /\/t\/([^/]+)$/.exec(environment.url)?.[1] ?? null,
})

type Wanted = Pick<LocalCatalog, 'name' | 'snapshot' | 'placeOf'> & { isFiles: boolean }

/** Environments are compared without what reads files. */
const readFiles = async (path: string) => (await import('../sides/local-catalog.ts')).readLocalCatalog(path)

async function read(side: Side): Promise<Wanted> {
  if (side.kind === 'files') return { ...(await readFiles(side.path)), isFiles: true }
  const name = environmentName(side.environment)
  return { name, snapshot: await exportCatalog(side.environment), placeOf: () => undefined, isFiles: false }
}

function comparison(
  before: { name: string; tenant: string | null; report: CatalogReport; milliseconds: number },
  { name, snapshot, selection, isMeantOnlyHere, placeOf = () => undefined, isFiles }: Part,
): ComparedCatalog {
  const { report, milliseconds, ...side } = before
  return {
    report: isMeantOnlyHere ? withoutUnmeant(report, isMeantOnlyHere) : report,
    before: side,
    after: { name, isFiles: isFiles ?? false },
    milliseconds,
    placeOf,
    snapshot,
    ...(selection && { selection }),
  }
}

async function timed(work: () => Promise<CatalogReport>): Promise<{ report: CatalogReport; milliseconds: number }> {
  const begun = performance.now()
  const report = await work()
  return { report, milliseconds: performance.now() - begun }
}
