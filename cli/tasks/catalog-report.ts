import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/router.ts'

type Answers = inferRouterOutputs<AppRouter>['admin']['catalog']

/** What a server answers to a compare. */
type EnvironmentReport = Answers['compare']
/** What a server answers to an import: the report, and the id under which the import is remembered. */
export type ImportReport = Answers['import']

/** What an import would do: as a server says it, or of two catalogs in files, where there is no tenant and no revision. */
export type CatalogReport = Omit<EnvironmentReport, 'targetTenantId' | 'environmentRevision' | 'items'> & {
  targetTenantId: string | null
  environmentRevision: string | null
  items: (Omit<EnvironmentReport['items'][number], 'fingerprint'> & { fingerprint?: string | null })[]
}
export type ReportItem = CatalogReport['items'][number]

/** Whether an import would change anything. */
export const hasChanges = ({ summary }: CatalogReport) => summary.create + summary.update > 0

/** The number of items that were held against each other. */
export const comparedItems = ({ summary }: CatalogReport) => summary.create + summary.update + summary.unchanged

/** The report of a selected part without what only the environment has and nobody spoke of; members of selected items stay. */
export function withoutUnmeant<Report extends CatalogReport>(
  report: Report,
  isMeant: (key: string) => boolean,
): Report {
  const onlyHere = report.onlyHere.filter(({ key, path }) => path !== undefined || isMeant(key))
  return { ...report, summary: { ...report.summary, onlyHere: onlyHere.length }, onlyHere }
}

/** What an import of a selected part answers, with what was selected, and without what nobody spoke of; any other as it is. */
export function asSelected<Report extends CatalogReport>(
  answered: Report,
  { report: shown, selection }: { report: CatalogReport; selection?: object },
) {
  if (selection === undefined) return answered
  const spoken = new Set(shown.onlyHere.filter(({ path }) => path === undefined).map(({ key }) => key))
  return { ...withoutUnmeant(answered, (key) => spoken.has(key)), selection }
}
