import type { TSchema } from 'typebox'
import { canonicalItem } from '../../../catalog-schema/canonical.ts'
import { sameValue } from '../../../catalog-schema/form.ts'
import { keyOf } from '../../../catalog-schema/keys.ts'
import { CatalogModel } from '../../../catalog-schema/model.ts'
import { pointerOf } from '../../../catalog-schema/paths.ts'
import { checkItem } from '../../../catalog-schema/rules/items.ts'
import type { Tables } from '../../database/tables.ts'
import type { WriteContext } from '../../kit/context.ts'
import { no } from '../../kit/flags.ts'
import { newId } from '../../kit/ids.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { invalid, Problem } from '../../kit/problem.ts'
import { applyBody, readBody } from '../../kit/records/body.ts'
import { type Stamp, stampOf } from '../../kit/records/stamp.ts'
import { getRecord, writeRecords } from '../../kit/records/store.ts'
import { refuseBreaches } from './judging.ts'
import { type CatalogNames, type FullProductName, loadProductNames } from './names.ts'
import { refuseRepeated } from './repeated.ts'
import { lockCatalog, moveRevision } from './revision.ts'
import { asRegistered, assignTags, type TagScope, tagsOf } from './tagging.ts'

/** A kind whose records belong to one product for life: feature catalog entries and monitored assets. */
export interface OfProduct<T extends 'features' | 'metrics', Item extends FullProductName & { tags: string[] }> {
  kind: 'feature' | 'monitoredAsset'
  table: T
  noun: string
  tagScope: TagScope
  /** What identifies a record among those of its product. */
  code: { field: keyof Item & string; column: 'feature_code' | 'metric_name' }
  bodyFields: Record<string, TSchema>
  clears: Record<string, string>
  toItem(row: Tables[T], names: CatalogNames, tags: readonly string[]): Item
  toRow(item: Item, id: string, names: CatalogNames, stamp: Stamp, before?: Tables[T]): Tables[T]
}

/** A record about to be changed. */
export interface Loaded<Row, Item> {
  row: Row
  item: Item
  names: CatalogNames
}

/** Creates a record that keeps every rule; answers its id. */
export async function createOfProduct<T extends 'features' | 'metrics', I extends FullProductName & { tags: string[] }>(
  context: WriteContext,
  kind: OfProduct<T, I>,
  body: { productId: string },
): Promise<string> {
  const { tx, tenant } = context
  await lockCatalog(tx, tenant.id)
  const names = await loadProductNames(tx, tenant.id, [body.productId])
  const product = names.findProduct(body.productId.toLowerCase())
  if (!product) throw invalid([{ pointer: '/productId', message: 'there is no product with that id' }])
  const { productId: _productId, ...given } = readBody(kind.bodyFields, body)
  refuseRepeated(kind.kind, given, body)
  return write(context, kind, names, { ...product, ...given } as unknown as I, body)
}

/** Loads what is to be changed, once it is this request's turn to change the catalog; throws the not-found problem or a failed precondition. */
export async function loadOfProduct<T extends 'features' | 'metrics', I extends FullProductName & { tags: string[] }>(
  context: WriteContext,
  kind: OfProduct<T, I>,
  id: string,
): Promise<Loaded<Tables[T], I>> {
  const { tx, tenant } = context
  await lockCatalog(tx, tenant.id)
  const row = await getRecord(tx, kind.table, tenant.id, id, kind.noun)
  requireRevision(context, row.revision_number)
  const names = await loadProductNames(tx, tenant.id, [row.product_id])
  const tags = await tagsOf(tx, tenant.id, [row.id])
  return { row, item: kind.toItem(row, names, tags.get(row.id) ?? []), names }
}

/** What a body makes of a record; its product is fixed. */
export function applyOfProduct<T extends 'features' | 'metrics', I extends FullProductName & { tags: string[] }>(
  kind: OfProduct<T, I>,
  { row, item }: Loaded<Tables[T], I>,
  body: object,
): I {
  const { productId, ...given } = readBody(kind.bodyFields, body, kind.clears)
  if (productId !== undefined && String(productId).toLowerCase() !== row.product_id)
    throw invalid([{ pointer: '/productId', message: 'the product of a record is fixed when it is created' }])
  refuseRepeated(kind.kind, given, body)
  return applyBody(kind.kind, kind.bodyFields, item, given) as unknown as I
}

/** Writes what a record has become; nothing moves when it is as before. */
export const writeOfProduct = <T extends 'features' | 'metrics', I extends FullProductName & { tags: string[] }>(
  context: WriteContext,
  kind: OfProduct<T, I>,
  loaded: Loaded<Tables[T], I>,
  after: I,
  body: object = {},
) => write(context, kind, loaded.names, after, body, loaded)

async function write<T extends 'features' | 'metrics', I extends FullProductName & { tags: string[] }>(
  context: WriteContext,
  kind: OfProduct<T, I>,
  names: CatalogNames,
  given: I,
  body: object,
  before?: Loaded<Tables[T], I>,
): Promise<string> {
  const { tx, tenant } = context
  const tags = await asRegistered(tx, tenant.id, kind.tagScope, given.tags ?? [])
  const item = canonicalItem(kind.kind, { ...given, tags }) as unknown as I
  const { breaches } = checkItem(kind.kind, item, new CatalogModel())
  refuseBreaches(breaches, (path) => pointerOf(kind.kind, body, path))
  if (before && sameValue(before.item, item)) return before.row.id
  await refuseTakenCode(context, kind, item, names.productId(item), before?.row.id)
  const stamp = stampOf(context)
  const row = kind.toRow(item, before?.row.id ?? newId(), names, stamp, before?.row)
  await writeRecords(tx, kind.table, [row])
  await assignTags(tx, kind.tagScope, row.id, item.tags, stamp)
  await moveRevision(tx, tenant.id)
  return row.id
}

async function refuseTakenCode<T extends 'features' | 'metrics', I extends FullProductName & { tags: string[] }>(
  { tx, tenant }: WriteContext,
  kind: OfProduct<T, I>,
  item: I,
  productId: string,
  ownId?: string,
): Promise<void> {
  const holder = await tx
    .selectFrom(kind.table as 'features')
    .select('id')
    .where('tenant_id', '=', tenant.id)
    .where('product_id', '=', productId)
    .where(kind.code.column as 'feature_code', '=', item[kind.code.field] as string)
    .where('is_deleted', '=', no)
    .executeTakeFirst()
  if (holder && holder.id !== ownId)
    throw new Problem('catalog.duplicate_key', `There is a ${keyOf(kind.kind, item)} already.`)
}
