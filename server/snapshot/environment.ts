import { CatalogModel } from '../../catalog-schema/model.ts'
import { type Kind, kinds } from '../../catalog-schema/order.ts'
import { type CatalogNames, loadNames } from '../catalog/records/names.ts'
import { readRevision } from '../catalog/records/revision.ts'
import { allTagsOf } from '../catalog/records/tagging.ts'
import type { Readable } from '../database/database.ts'
import { type HeldItem, rooms } from './rooms.ts'

/** A tenant's whole catalog as it stands at one revision. */
export interface Environment {
  revision: number
  model: CatalogModel
  names: CatalogNames
  /** The record behind each item. */
  held(kind: Kind, key: string): HeldItem | undefined
}

/** Reads the whole catalog in bulk, as it stands at one revision whoever writes meanwhile; waits for nobody. */
export function loadEnvironment(readable: Readable, tenantId: string): Promise<Environment> {
  if (readable.isTransaction) return loadAt(readable, tenantId)
  const oneState = readable.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return oneState.execute((tx) => loadAt(tx, tenantId))
}

async function loadAt(readable: Readable, tenantId: string): Promise<Environment> {
  const revision = await readRevision(readable, tenantId)
  const names = await loadNames(readable, tenantId)
  const tags = await allTagsOf(readable, tenantId)
  const model = new CatalogModel()
  const records = new Map<Kind, Map<string, HeldItem>>()
  const loaded = new Map<Kind, HeldItem[]>()
  for (const kind of kinds) {
    const { loadItems, introduce } = rooms[kind]
    const items = await loadItems(readable, tenantId, names, tags)
    if (introduce) for (const { row, item } of items) introduce(item as never, row.id, names)
    loaded.set(kind, items)
  }
  for (const { item } of loaded.get('product')!)
    model.declareProduct(item as { productCode: string; productVersion: string | null })
  for (const kind of kinds) {
    const held = new Map<string, HeldItem>()
    for (const record of loaded.get(kind)!) held.set(model.add(kind, record.item as Record<string, unknown>), record)
    records.set(kind, held)
  }
  return { revision, model, names, held: (kind, key) => records.get(kind)!.get(key) }
}
