import { formatVersion, type Snapshot } from '../../catalog-schema/snapshot.ts'
import { type ChosenEnvironment, environmentName } from '../environments/choosing.ts'
import { Problem } from '../problems.ts'
import { nameAuthors } from './author-names.ts'
import type { CatalogReport } from './catalog-report.ts'
import { type ComparedCatalog, catalogClient, compareSnapshot } from './compare.ts'
import { getImport, type ReportedImport } from './history.ts'
import { askWhoMoved } from './moved-keys.ts'
import { editedSince, type Staying, stayingAfter, withEverySection, withoutImpossibleSteps } from './rollback-plan.ts'

/** What putting back what was there before an import would do. */
export interface Rollback {
  imported: ReportedImport
  /** What it would change; its snapshot is the one to apply. */
  comparison: ComparedCatalog
  /** What the import did and what stays as it is. */
  staying: Staying[]
  /** The keys that somebody has changed since the import, among those that it would change. */
  edited: string[]
}

/** Decides what rolling an import back would do; changes nothing. Raises license.record_not_found for an import that never was. */
export async function planRollback(environment: ChosenEnvironment, importId: string): Promise<Rollback> {
  const imported = await getImport(environment, importId)
  const before = (await catalogClient(environment).imports.before.query({ importId })) as Snapshot
  const compare = (snapshot: Snapshot) =>
    compareSnapshot(environment, { name: `it was before import ${importId}`, snapshot: withEverySection(snapshot) })
  let comparison = await compare(before)
  const { snapshot, staying } = withoutImpossibleSteps(before, comparison.report)
  if (staying.length > 0) comparison = await compare(snapshot)
  const { report } = comparison
  return {
    imported,
    comparison: { ...comparison, snapshot, report: withoutOnlyHere(report) },
    staying: [...staying, ...stayingAfter(imported.report, report)],
    edited: editedSince(imported.report, report),
  }
}

const withoutOnlyHere = (report: CatalogReport): CatalogReport => ({
  ...report,
  summary: { ...report.summary, onlyHere: 0 },
  onlyHere: [],
})

/** Refuses a rollback that would overwrite what others did since the import, naming each key with who and when (catalog.environment_changed). */
export async function refuseEdited(environment: ChosenEnvironment, { imported, edited }: Rollback): Promise<void> {
  if (edited.length === 0) return
  const expected = Object.fromEntries(edited.map((key) => [key, 'as the import left it']))
  const moved = await askWhoMoved(environment, { formatVersion }, expected)
  const nameOf = await nameAuthors(
    environment,
    moved.map(({ changedBy }) => changedBy),
  )
  const known = new Map(moved.map((one) => [one.key, one]))
  const what =
    edited.length === 1 ? '1 item that it would put back has' : `${edited.length} items that it would put back have`
  throw new Problem(
    'catalog.environment_changed',
    `${what} changed in ${environmentName(environment)} since import ${imported.id}; nothing was changed.`,
    {
      code: 3005,
      hint: '--overwrite-later-edits puts them back all the same',
      errors: edited.map((key) => {
        const { changedAt = null, changedBy = null } = known.get(key) ?? {}
        const by = changedBy === null ? '' : ` by ${nameOf(changedBy)}`
        return { key, changedAt, changedBy, message: `changed ${changedAt ?? 'since'}${by}` }
      }),
    },
  )
}
