import { changesBetween } from '../../catalog-schema/canonical.ts'
import type { Change } from '../../catalog-schema/form.ts'
import type { CatalogModel } from '../../catalog-schema/model.ts'
import { type Kind, kinds } from '../../catalog-schema/order.ts'
import type { Readable } from '../database/database.ts'
import { toInstant } from '../kit/instants.ts'
import { readAuthors } from './authors.ts'
import { findLastImport, measureSince } from './baseline.ts'
import { loadEnvironment } from './environment.ts'

/** What became of one item since the last import. */
interface Drifted {
  kind: Kind
  key: string
  action: 'create' | 'update' | 'delete'
  changes: Change[]
}

/** What a tenant's catalog has become since its last import, field by field, with who and when. */
export async function readDrift(readable: Readable, tenantId: string) {
  const { environment, since } = await readBoth(readable, tenantId)
  const measured = await measureSince(readable, tenantId, environment, since)
  const isSame = !since || since.revision === environment.revision
  const drifted = isSame ? [] : driftBetween(measured.baseline, environment.model)
  const authorOf = await readAuthors(readable, tenantId, measured, drifted)
  const count = (action: Drifted['action']) => drifted.filter((item) => item.action === action).length
  return {
    since: since ? { ...since, importedAt: toInstant(since.importedAt), revision: String(since.revision) } : null,
    environmentRevision: String(environment.revision),
    summary: { created: count('create'), updated: count('update'), deleted: count('delete') },
    items: drifted.map((item) => {
      const { kind, key, action, changes } = item
      const author = authorOf(item)
      return {
        kind,
        key,
        action,
        ...(action === 'update' ? { changes } : {}),
        changedAt: author ? toInstant(author.at) : null,
        changedBy: author?.by ?? null,
      }
    }),
  }
}

/** The environment with the last import before it; read again when somebody imports between the two. */
async function readBoth(readable: Readable, tenantId: string) {
  for (;;) {
    const environment = await loadEnvironment(readable, tenantId)
    const since = await findLastImport(readable, tenantId)
    if (!since || since.revision <= environment.revision) return { environment, since }
  }
}

/** The items that differ between two catalogs, in canonical order: by kind, then by key. */
function driftBetween(baseline: CatalogModel, now: CatalogModel): Drifted[] {
  return kinds.flatMap((kind) => {
    const drifted: Drifted[] = []
    for (const { key, item: after } of now.entries(kind)) {
      const before = baseline.find(kind, key)
      const changes = before ? changesBetween(kind, before, after) : []
      if (!before || changes.length > 0) drifted.push({ kind, key, action: before ? 'update' : 'create', changes })
    }
    for (const { key } of baseline.entries(kind))
      if (!now.holds(kind, key)) drifted.push({ kind, key, action: 'delete', changes: [] })
    return drifted.sort((a, b) => (a.key < b.key ? -1 : 1))
  })
}
