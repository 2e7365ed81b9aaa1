import { canonicalItem } from '../../catalog-schema/canonical.ts'
import { kinds, sectionOf } from '../../catalog-schema/order.ts'
import type { ImportPlan } from '../../catalog-schema/plan.ts'
import { formatVersion, type Snapshot } from '../../catalog-schema/snapshot-format.ts'
import type { Readable, Tx } from '../database/database.ts'
import { recordAudit } from '../kit/audit.ts'
import type { ListQuery } from '../kit/collection.ts'
import { statementOf } from '../kit/compiled-query.ts'
import type { ColumnField } from '../kit/filter/fields.ts'
import { toInstant } from '../kit/instants.ts'
import type { Page } from '../kit/page.ts'
import { recordNotFound } from '../kit/problem.ts'
import { listRows } from '../kit/records/plain-list.ts'
import type { Stamp } from '../kit/records/stamp.ts'
import { runLastStatements } from '../kit/records/store.ts'
import { keepingBaseline } from './baseline.ts'
import type { Report } from './report.ts'
import type { SnapshotTables } from './tables.ts'

/** What an import updates, as it was before: the snapshot that puts it back. Sections without updates are left out. */
export function snapshotBefore(plan: ImportPlan, stamp: Stamp): Snapshot {
  const updated = kinds.flatMap((kind) => {
    const items = plan.items.filter((item) => item.kind === kind && item.action === 'update')
    return items.length > 0 ? [[sectionOf[kind], items.map(({ before }) => canonicalItem(kind, before!))] as const] : []
  })
  return {
    formatVersion,
    exportedAt: toInstant(stamp.now),
    sourceTenantId: stamp.tenantId,
    scope: updated.map(([section]) => section),
    counts: Object.fromEntries(updated.map(([section, items]) => [section, items.length])),
    ...Object.fromEntries(updated),
  }
}

/** An import as it is kept. */
export interface ImportRecord {
  importId: string
  revisionBefore: number
  revisionAfter: number
  report: Report
  /** Compressed: the report, and what was there before. */
  kept: { report: Uint8Array; before: Uint8Array }
  /** The state it left, as baseline.ts keeps it; null where that is kept already. */
  baseline: Uint8Array | null
}

/**
 * Keeps an import for the history (who, when, from where, the whole report and what was there before), the state it left as
 * what drift is measured from, and who did it by which operation in which request.
 */
export async function recordImport(
  tx: Tx,
  stamp: Stamp,
  done: ImportRecord,
  source: string | null,
  { operation, correlationId }: { operation: string; correlationId: string },
): Promise<void> {
  const row: SnapshotTables['catalog_imports'] = {
    id: done.importId,
    tenant_id: stamp.tenantId,
    imported_at: stamp.now,
    imported_by: stamp.actor,
    source,
    revision_before: done.revisionBefore,
    revision_after: done.revisionAfter,
    summary: JSON.stringify(done.report.summary),
    report: done.kept.report,
    before_snapshot: done.kept.before,
  }
  await runLastStatements(
    tx,
    [tx.insertInto('catalog_imports').values(row), keepingBaseline(tx, stamp.tenantId, done)].map(statementOf),
  )
  await recordAudit(
    { tx, correlationId, ...stamp },
    {
      operation,
      recordKind: 'catalog.imports',
      recordId: done.importId,
      before: null,
      after: { source, summary: done.report.summary },
    },
  )
}

const columns = ['id', 'imported_at', 'imported_by', 'source', 'revision_before', 'revision_after', 'summary'] as const
type ImportRow = Pick<SnapshotTables['catalog_imports'], (typeof columns)[number]>

/** A past import as a list shows it. */
export const importToWire = (row: ImportRow) => ({
  id: row.id,
  importId: row.id,
  importedAt: toInstant(row.imported_at),
  importedBy: row.imported_by,
  source: row.source,
  revisionBefore: String(row.revision_before),
  revisionAfter: String(row.revision_after),
  summary: JSON.parse(row.summary) as Report['summary'],
})

const field = (name: string, column: string, type: 'uuid' | 'instant' | 'integer' | 'text', nullable = false) => ({
  name,
  column: `catalog_imports.${column}`,
  nullable,
  type,
})
const fields: [ColumnField, ...ColumnField[]] = [
  field('id', 'id', 'uuid'),
  field('importId', 'id', 'uuid'),
  field('importedAt', 'imported_at', 'instant'),
  field('importedBy', 'imported_by', 'text'),
  field('source', 'source', 'text', true),
  field('revisionBefore', 'revision_before', 'integer'),
  field('revisionAfter', 'revision_after', 'integer'),
]

/** A page of a tenant's past imports, the newest first unless a sortOrder says otherwise; throws the validation problem. */
export const listImportRows = (read: Readable, tenantId: string, query: ListQuery): Promise<Page<ImportRow>> =>
  listRows(read.selectFrom('catalog_imports').where('tenant_id', '=', tenantId), fields, '-importedAt', query, columns)

/** A past import, whole; throws the not-found problem. */
export async function getImportRow(read: Readable, tenantId: string, id: string) {
  const row = await read
    .selectFrom('catalog_imports')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id.toLowerCase())
    .executeTakeFirst()
  if (!row) throw recordNotFound('import')
  return row
}
