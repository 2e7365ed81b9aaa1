import { CatalogModel } from '../../catalog-schema/model.ts'
import { type Kind, kinds } from '../../catalog-schema/order.ts'
import { type CatalogNames, namesOf } from '../catalog/records/names.ts'
import { readRevision } from '../catalog/records/revision.ts'
import { allTagsOf } from '../catalog/records/tagging.ts'
import type { Readable } from '../database/database.ts'
import { readAtOnce } from '../database/reads-at-once.ts'
import { allDone } from '../kit/compiled-query.ts'
import type { RecordRow } from '../kit/records/record-row.ts'
import { readRecords } from '../kit/records/store.ts'
import { type HeldItem, type Room, rooms } from './rooms.ts'

/** A key that more than one record has: nothing keeps the names of rating campaigns apart. */
export interface RepeatedKey {
  kind: Kind
  key: string
}

/** A tenant's whole catalog as it stands at one revision. */
export interface Environment {
  revision: number
  model: CatalogModel
  names: CatalogNames
  /** The organization groups that its offers ask for, by name. */
  groups: readonly string[]
  /** The keys of records that are not in the model, an older one having the key. */
  repeated: readonly RepeatedKey[]
  /** The record behind each item. */
  held(kind: Kind, key: string): HeldItem | undefined
}

/**
 * What was read last over a connection. The catalog is the same for as long as its revision is; what no catalog holds of its
 * records may not be.
 */
const lastRead = new WeakMap<Readable, { tenantId: string; environment: Environment }>()
const spent = new WeakSet<Environment>()

/**
 * The whole catalog, read in bulk as it stands at one revision whoever writes meanwhile; waits for nobody. Whoever reads
 * it again at the same revision is given the same, so it is not for changing.
 */
export async function loadEnvironment(readable: Readable, tenantId: string): Promise<Environment> {
  if (readable.isTransaction) return loadAt(readable, tenantId)
  const last = lastRead.get(readable)
  if (last?.tenantId === tenantId && !spent.has(last.environment))
    if (last.environment.revision === (await readRevision(readable, tenantId))) return last.environment
  lastRead.delete(readable)
  const environment = await readAtOnce(readable, (tx) => loadAt(tx, tenantId))
  lastRead.set(readable, { tenantId, environment })
  return environment
}

/** Says that an environment is about to be written into, its names with it: nobody is given it again. */
export const spendEnvironment = (environment: Environment) => void spent.add(environment)

async function loadAt(readable: Readable, tenantId: string): Promise<Environment> {
  const [revision, tags, read] = await allDone([
    readRevision(readable, tenantId),
    allTagsOf(readable, tenantId),
    allDone(kinds.map(async (kind) => [kind, await readRows(readable, tenantId, rooms[kind])] as const)),
  ])
  const rowsOf = new Map<Kind, readonly RecordRow[]>(read)
  const names = namesOf(rowsOf.get('product') as never, rowsOf.get('suite') as never)
  for (const kind of kinds) await rooms[kind].introduceOthers?.(readable, tenantId, rowsOf.get(kind) as never, names)
  const groups = names.groupNames
  const model = new CatalogModel()
  const records = new Map<Kind, Map<string, HeldItem>>()
  const repeated: RepeatedKey[] = []
  const loaded = new Map<Kind, HeldItem[]>()
  for (const kind of kinds) {
    const { isItem = () => true, toItem, introduce } = rooms[kind]
    const rows = rowsOf.get(kind)!.filter((row) => isItem(row as never))
    const items = rows.map((row) => ({ row, item: toItem(row as never, names, tags.get(row.id) ?? []) }))
    if (introduce) for (const { row, item } of items) introduce(item as never, row.id, names)
    loaded.set(kind, items)
  }
  for (const { item } of loaded.get('product')!)
    model.declareProduct(item as { productCode: string; productVersion: string | null })
  for (const kind of kinds) {
    const held = new Map<string, HeldItem>()
    for (const record of loaded.get(kind)!) {
      const key = model.keyOf(kind, record.item)
      if (held.has(key)) repeated.push({ kind, key })
      else held.set(model.add(kind, record.item as Record<string, unknown>, key), record)
    }
    records.set(kind, held)
  }
  return { revision, model, names, groups, repeated, held: (kind, key) => records.get(kind)!.get(key) }
}

const readRows = (readable: Readable, tenantId: string, { table, readRows: ownRows }: Room): Promise<RecordRow[]> =>
  ownRows ? ownRows(readable, tenantId) : readRecords(readable, table, tenantId)
