import type { RunningServer, ServerOptions } from '../../server/app.ts'
import { exitCodeOf, type Interruption } from '../interruptions.ts'
import { listenProblem } from '../listen-problem.ts'
import { databaseProblem } from '../operator/database-problems.ts'
import { exitCodes } from '../problems.ts'
import type { LocalCatalog } from '../sides/local-catalog.ts'
import { keepHeapSmall } from './small-heap.ts'

/** A catalog to import when the server starts. */
export interface BroughtCatalog {
  path: string
  overwrite: boolean
}

/**
 * Starts a server, with the catalog it brings along imported; raises cli.failed or cli.input with one line for what an
 * operator can mend, and what is wrong with the catalog with each finding at its line.
 */
export async function startServing(
  options: Omit<ServerOptions, 'catalog'>,
  brought: BroughtCatalog | undefined,
): Promise<RunningServer> {
  const catalog = brought && (await readBrought(brought))
  const { startServer } = await import('../../server/app.ts')
  try {
    const server = await startServer(
      catalog ? { ...options, catalog: { snapshot: catalog.snapshot, overwrite: brought.overwrite } } : options,
    )
    keepHeapSmall()
    return server
  } catch (error) {
    if (catalog) await refuseCatalog(error, catalog)
    throw listenProblem(error, options.host, options.port) ?? databaseProblem(error, options.databaseUrl)
  }
}

/** Loads what reads catalogs for those servers alone that bring one: a server is to be there soon. */
async function readBrought({ path }: BroughtCatalog): Promise<LocalCatalog> {
  const { readLocalCatalog } = await import('../sides/local-catalog.ts')
  return readLocalCatalog(path)
}

/** Raises the errors of a catalog that a server would not import, each at its line. */
async function refuseCatalog(error: unknown, { name, placeOf }: LocalCatalog): Promise<void> {
  const [{ CatalogRefused }, { refuseErrors }] = await Promise.all([
    import('../../server/snapshot/import-at-start.ts'),
    import('./report-errors.ts'),
  ])
  if (!(error instanceof CatalogRefused)) return
  const errors = error.errors.map(({ key, path, code, codeName, message }) => ({ key, path, code, codeName, message }))
  refuseErrors({
    report: { errors },
    before: { name: `tenant ${error.tenant}`, tenant: error.tenant },
    after: { name, isFiles: true },
    placeOf,
  })
}

/** Ends the process on an error that nobody caught, with its stack in the log: nobody knows what state it left behind. */
export function endOnUncaught(server: RunningServer): void {
  // Before what every command does then.
  process.prependListener('uncaughtException', (error) => {
    server.logFatal(error, 'ended by an error that nobody caught')
    process.exit(exitCodes.failed)
  })
}

/** Waits for SIGTERM or SIGINT, then lets the server finish what is running; a second signal ends the process at once. */
export async function drainWhenTold(server: RunningServer): Promise<void> {
  await new Promise<void>((told) => {
    let signals = 0
    const onSignal = (signal: Interruption) => {
      signals += 1
      if (signals > 1) process.exit(exitCodeOf[signal])
      told()
    }
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  })
  await server.close({ idleMillis: 1000 })
}
