import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/router.ts'

type Answers = inferRouterOutputs<AppRouter>['admin']['catalog']

/** What a server answers to a compare. */
export type EnvironmentReport = Answers['compare']
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
