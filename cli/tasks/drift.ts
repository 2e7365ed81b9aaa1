import type { ChosenEnvironment } from '../environments/choosing.ts'
import { duringPhase } from '../progress.ts'
import { readLocalCatalog } from '../sides/local-catalog.ts'
import { nameAuthors } from './author-names.ts'
import { beforeEnvironment, catalogClient, compareWith } from './compare.ts'
import { type FilesSay, filesReader } from './drift-files.ts'
import type { DriftReport } from './drift-report.ts'

type Item = DriftReport['items'][number]
type Change = NonNullable<Item['changes']>[number]

type DriftedChange = Change & { files?: FilesSay }
export type DriftedItem = Omit<Item, 'changes'> & {
  changes?: DriftedChange[]
  changedByName: string
  /** What the files say of the item; of one that changed, each field has its own word. */
  files?: FilesSay
}

/** What changed in an environment since its last import, by whom by name, and what the files say of it. */
export type Drift = Omit<DriftReport, 'items' | 'since'> & {
  environment: { name: string; tenant: string | null }
  since: (NonNullable<DriftReport['since']> & { importedByName: string }) | null
  /** The files that were asked, as they were named; null when none were. */
  files: string | null
  items: DriftedItem[]
}

/**
 * Reads what drifted in an environment; with the path of a catalog, also what its files say of each change (the last
 * import, the files, the environment). Raises cli.catalog when the files are unsound.
 */
export async function readDrift(environment: ChosenEnvironment, path: string | undefined): Promise<Drift> {
  const catalog = path === undefined ? undefined : await readLocalCatalog(path)
  const side = beforeEnvironment(environment)
  const report = await duringPhase(`Asking ${side.name} what has changed`, () =>
    catalogClient(environment).drift.query({}),
  )
  const nameOf = await nameAuthors(environment, [
    ...report.items.map(({ changedBy }) => changedBy),
    ...(report.since ? [report.since.importedBy] : []),
  ])
  const says =
    catalog && report.items.length > 0
      ? filesReader(catalog.snapshot, (await compareWith(environment, catalog.snapshot)).report)
      : undefined
  const { since, environmentRevision, summary } = report
  return {
    environment: side,
    since: since && { ...since, importedByName: nameOf(since.importedBy) },
    environmentRevision,
    files: catalog?.name ?? null,
    summary,
    items: report.items.map((item) => ({
      ...item,
      changedByName: nameOf(item.changedBy),
      ...(says && item.changes === undefined && { files: says(item) }),
      ...(item.changes && {
        changes: item.changes.map((change) => ({ ...change, ...(says && { files: says(item, change) }) })),
      }),
    })),
  }
}

/** Whether anything has changed since the last import. */
export const hasDrifted = ({ items }: Pick<Drift, 'items'>) => items.length > 0
