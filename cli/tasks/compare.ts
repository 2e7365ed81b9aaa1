import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import type { AppRouter } from '../../server/router.ts'
import type { ChosenEnvironment } from '../environments/choosing.ts'
import { duringPhase } from '../progress.ts'
import { routerClient } from '../router-client.ts'
import { serverClient } from '../server-client.ts'
import { type FilePlace, type LocalCatalog, readLocalCatalog } from '../sides/local-catalog.ts'
import type { Side } from '../sides/side.ts'
import type { CatalogReport } from './catalog-report.ts'

/** Two catalogs held against each other: what is shown, and what an import then does. */
export interface Comparison {
  report: CatalogReport
  /** The side that would change, as people call it. */
  before: { name: string; tenant: string | null }
  /** The side that it would be made like. */
  after: { name: string; isFiles: boolean }
  /** How long the comparing itself took. */
  milliseconds: number
  /** Where the after side has an item, when it is files. */
  placeOf(key: string, path?: string): FilePlace | undefined
}

/** The scope that comparing and exporting need. */
export const readScope = 'admin.catalog:read'

export const catalogClient = (environment: ChosenEnvironment, scopes: readonly string[] = [readScope]) =>
  routerClient<AppRouter>(serverClient(environment, scopes)).admin.catalog

/** What an environment is called in messages. */
export const environmentName = ({ name, url }: ChosenEnvironment) => name ?? new URL(url).host

/** The catalog of an environment, whole or some sections of it. */
export async function exportCatalog(environment: ChosenEnvironment, scope?: string): Promise<Snapshot> {
  return duringPhase(`Exporting ${environmentName(environment)}`, async () => {
    const snapshot = await catalogClient(environment).export.query(scope === undefined ? {} : { scope })
    return snapshot as Snapshot
  })
}

/** Holds a snapshot against an environment; changes nothing. */
export async function compareWith(
  environment: ChosenEnvironment,
  snapshot: Snapshot,
  { includeUnchanged = false } = {},
): Promise<{ report: CatalogReport; milliseconds: number }> {
  const client = catalogClient(environment)
  return timed(() =>
    duringPhase(`Comparing with ${environmentName(environment)}`, () =>
      client.compare.mutate({ snapshot, ...(includeUnchanged ? { include: 'unchanged' as const } : {}) }),
    ),
  )
}

/** Holds the after side against the before side: by the server of an environment, of files here. */
export async function compareSides(
  before: Side,
  after: Side,
  options: { includeUnchanged?: boolean } = {},
): Promise<Comparison> {
  const wanted = await read(after)
  if (before.kind === 'environment') {
    const compared = await compareWith(before.environment, wanted.snapshot, options)
    return comparison({ ...beforeEnvironment(before.environment), ...compared }, wanted)
  }
  const { name, snapshot } = await readLocalCatalog(before.path)
  const { compareSnapshots } = await import('./compare-files.ts')
  const compared = await timed(async () => compareSnapshots(snapshot, wanted.snapshot, options.includeUnchanged))
  return comparison({ name, tenant: null, ...compared }, wanted)
}

/** A comparison of a catalog, from files or from another environment, with an environment. */
export async function compareSnapshot(
  environment: ChosenEnvironment,
  catalog: Pick<LocalCatalog, 'name' | 'snapshot'> & Partial<LocalCatalog>,
): Promise<Comparison> {
  const compared = await compareWith(environment, catalog.snapshot)
  const { placeOf } = catalog
  const wanted = { ...catalog, isFiles: placeOf !== undefined, placeOf: placeOf ?? (() => undefined) }
  return comparison({ ...beforeEnvironment(environment), ...compared }, wanted)
}

/** How the before side of a comparison is called, when it is an environment. */
const beforeEnvironment = (environment: ChosenEnvironment) => ({
  name: environmentName(environment),
  tenant: /\/t\/([^/]+)$/.exec(environment.url)?.[1] ?? null,
})

type Wanted = Pick<LocalCatalog, 'name' | 'snapshot' | 'placeOf'> & { isFiles: boolean }

async function read(side: Side): Promise<Wanted> {
  if (side.kind === 'files') return { ...(await readLocalCatalog(side.path)), isFiles: true }
  const name = environmentName(side.environment)
  return { name, snapshot: await exportCatalog(side.environment), placeOf: () => undefined, isFiles: false }
}

function comparison(
  {
    name,
    tenant,
    report,
    milliseconds,
  }: { name: string; tenant: string | null; report: CatalogReport; milliseconds: number },
  after: Wanted,
): Comparison {
  return {
    report,
    before: { name, tenant },
    after: { name: after.name, isFiles: after.isFiles },
    milliseconds,
    placeOf: after.placeOf,
  }
}

async function timed(work: () => Promise<CatalogReport>): Promise<{ report: CatalogReport; milliseconds: number }> {
  const begun = performance.now()
  const report = await work()
  return { report, milliseconds: performance.now() - begun }
}
