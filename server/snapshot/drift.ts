import { changesBetween } from '../../catalog-schema/canonical.ts'
import type { Change } from '../../catalog-schema/form.ts'
import { keyOf, matchKey } from '../../catalog-schema/keys.ts'
import { mentionsOf } from '../../catalog-schema/mentions.ts'
import type { CatalogModel } from '../../catalog-schema/model.ts'
import { type Kind, kinds } from '../../catalog-schema/order.ts'
import { tagScopeOf } from '../../catalog-schema/planning/filling-in.ts'
import type { Readable } from '../database/database.ts'
import { toInstant } from '../kit/clock.ts'
import { findLastImport, type LastImport, readBaseline } from './baseline.ts'
import { type Deletion, findDeletions } from './deletions.ts'
import { type Environment, loadEnvironment } from './environment.ts'

type Item = Record<string, unknown>

/** What became of one item since the last import; `before` and `after` are canonical, undefined where there is none. */
interface Drifted {
  kind: Kind
  key: string
  action: 'create' | 'update' | 'delete'
  before: Item | undefined
  after: Item | undefined
  changes: Change[]
}

/** What a tenant's catalog has become since its last import, field by field, with who and when. */
export async function readDrift(readable: Readable, tenantId: string) {
  const { environment, since } = await readBoth(readable, tenantId)
  const isSame = !since || since.revision === environment.revision
  const drifted = isSame ? [] : driftBetween(await readBaseline(readable, tenantId), environment.model)
  const authorOf = since ? await authors(readable, tenantId, drifted, environment, since) : () => undefined
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
      if (!before || changes.length > 0)
        drifted.push({ kind, key, action: before ? 'update' : 'create', before, after, changes })
    }
    for (const { key, item: before } of baseline.entries(kind))
      if (!now.holds(kind, key)) drifted.push({ kind, key, action: 'delete', before, after: undefined, changes: [] })
    return drifted.sort((a, b) => (a.key < b.key ? -1 : 1))
  })
}

/**
 * Who changed each item last, and when. An item that differs though nobody touched it since the import differs by what
 * it names, such as a product with another code or a tag that is gone: then whoever changed that; one whose tags differ
 * may have been touched before one of them was renamed. A key that is gone
 * without a deletion was given up for another: whoever renamed a record of its kind, where that is one and the same.
 */
async function authors(
  readable: Readable,
  tenantId: string,
  drifted: readonly Drifted[],
  environment: Environment,
  since: LastImport,
) {
  const writeOf = (kind: Kind, key: string): Deletion | undefined => {
    const row = environment.held(kind, environment.model.heldKey(kind, key) ?? key)?.row
    return row && { at: row.updated_at, by: row.updated_by }
  }
  const isSince = (write: Deletion | undefined) => write !== undefined && write.at > since.importedAt
  const named = new Map(
    drifted.flatMap((item) => {
      if (!item.after) return []
      if (!isSince(writeOf(item.kind, item.key))) return [[item, namedBy(item, environment.model)] as const]
      const hasOtherTags = item.changes.some(({ path }) => /^\/tags(?:\/|$)/.test(path))
      return hasOtherTags ? [[item, tagsBy(item)] as const] : []
    }),
  )
  const gone = drifted.filter(({ action }) => action === 'delete')
  const deletions = await findDeletions(readable, tenantId, [...gone, ...[...named.values()].flat()])
  const authorOf = (item: Drifted): Deletion | undefined => {
    const own = writeOf(item.kind, item.key) ?? deletions.get(item.key)
    const others = (named.get(item) ?? []).flatMap(({ kind, key }) => {
      const write = writeOf(kind, key) ?? deletions.get(key)
      return write && isSince(write) ? [write] : []
    })
    return others.reduce((last, write) => (last && last.at > write.at ? last : write), own)
  }
  // A record that is older than the import and was not there under its key: it had another key then.
  const renamed = drifted.filter(({ kind, key, action }) => {
    const row = action === 'create' ? environment.held(kind, key)?.row : undefined
    return row !== undefined && row.created_at <= since.importedAt
  })
  const renamers = (kind: Kind) => {
    const writes = renamed.flatMap((item) => (item.kind === kind ? (authorOf(item) ?? []) : []))
    return [...new Map(writes.map((write) => [`${write.at} ${write.by}`, write])).values()]
  }
  return (item: Drifted): Deletion | undefined => {
    const author = authorOf(item)
    if (author || item.action !== 'delete') return author
    const [renamer, ...more] = renamers(item.kind)
    return more.length === 0 ? renamer : undefined
  }
}

/** What an item names now or named at the import, its tags among them, each once. */
function namedBy({ kind, before, after }: Drifted, model: CatalogModel): Named[] {
  const mentioned = [before, after].flatMap((item) => (item ? mentionsOf(kind, item, model.suiteText) : []))
  return eachOnce([...mentioned, ...tagsBy({ kind, before, after })])
}

/** The tags that an item has or had at the import. */
const tagsBy = ({ kind, before, after }: Pick<Drifted, 'kind' | 'before' | 'after'>): Named[] =>
  eachOnce([before, after].flatMap((item) => (item ? tagsOf(kind, item) : [])))

type Named = { kind: Kind; key: string }

const eachOnce = (named: readonly Named[]): Named[] => [
  ...new Map(named.map(({ kind, key }) => [matchKey(kind, key), { kind, key }])).values(),
]

const tagsOf = (kind: Kind, item: Item): Named[] =>
  ((item.tags as string[] | undefined) ?? []).map((name) => ({
    kind: 'tag',
    key: keyOf('tag', { scope: tagScopeOf[kind], name }),
  }))
