import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/router.ts'
import { type ChosenEnvironment, environmentName, envWords } from '../environments/choosing.ts'
import { Problem } from '../problems.ts'
import { duringPhase } from '../progress.ts'
import { nameAuthors } from './author-names.ts'
import type { CatalogReport } from './catalog-report.ts'
import { catalogClient } from './compare.ts'
import { listFirst } from './tenant-records.ts'

type Imports = inferRouterOutputs<AppRouter>['admin']['catalog']['imports']

/** An import that was made, and by whom by name. */
export type PastImport = Imports['list']['items'][number] & { importedByName: string }
/** One with its whole report: what changed there, field by field. */
export type ReportedImport = PastImport & { report: CatalogReport & { importId: string } }

/** The imports of an environment, the newest first, at most `limit` of them, and how many there are. */
export async function listImports(
  environment: ChosenEnvironment,
  limit: number,
): Promise<{ imports: PastImport[]; total: number }> {
  const { list } = catalogClient(environment).imports
  const { items: imports, total } = await duringPhase(`Reading the history of ${environmentName(environment)}`, () =>
    listFirst(limit, (page) => list.query(page)),
  )
  const nameOf = await nameAuthors(
    environment,
    imports.map(({ importedBy }) => importedBy),
  )
  return { imports: imports.map((one) => ({ ...one, importedByName: nameOf(one.importedBy) })), total }
}

/** One import with its whole report. Raises license.record_not_found, with what to try. */
export async function getImport(environment: ChosenEnvironment, importId: string): Promise<ReportedImport> {
  const found = await catalogClient(environment)
    .imports.get.query({ importId })
    .catch(refuseUnknown(environment, importId))
  const nameOf = await nameAuthors(environment, [found.importedBy])
  return { ...found, report: found.report as ReportedImport['report'], importedByName: nameOf(found.importedBy) }
}

const refuseUnknown = (environment: ChosenEnvironment, importId: string) => (error: unknown) => {
  if (!(error instanceof Problem) || error.codeName !== 'license.record_not_found') throw error
  const name = environmentName(environment)
  throw new Problem(error.codeName, `${name} has had no import ${importId}.`, {
    ...error.details,
    ...(error.code !== null && { code: error.code }),
    hint: `licet catalog history${envWords(environment.name)}`,
  })
}
