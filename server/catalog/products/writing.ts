import { canonicalItem } from '../../../catalog-schema/canonical.ts'
import { sameValue } from '../../../catalog-schema/form.ts'
import { CatalogModel } from '../../../catalog-schema/model.ts'
import { pointerOf } from '../../../catalog-schema/paths.ts'
import type { Product } from '../../../catalog-schema/product.ts'
import { checkItem } from '../../../catalog-schema/rules/items.ts'
import type { WriteContext } from '../../kit/context.ts'
import { newId } from '../../kit/ids.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { applyBody, readBody } from '../../kit/records/body.ts'
import { stampOf } from '../../kit/records/stamp.ts'
import { getRecord, writeRecords } from '../../kit/records/store.ts'
import { listEntriesOf } from '../records/entries-of.ts'
import { refuseBreaches } from '../records/judging.ts'
import { standingAsGiven } from '../records/member-order.ts'
import { type CatalogNames, loadProductNames } from '../records/names.ts'
import { refuseRepeated } from '../records/repeated.ts'
import { lockCatalog, moveRevision } from '../records/revision.ts'
import { asRegistered, assignTags, tagsOf } from '../records/tagging.ts'
import { completeFeatures, type GivenFeature } from './catalogued-features.ts'
import { productBodyFields, productClears } from './contract.ts'
import { type ProductRow, toItem, toRow } from './items.ts'
import { refuseNeededFeatures } from './needed-features.ts'
import { writeOwnSuite } from './own-suite.ts'
import { getParent } from './parents.ts'
import { type GivenProperties, mergeProperties } from './property-merging.ts'
import { refuseTakenKeys } from './taken-keys.ts'

/** A product about to be changed. */
export interface LoadedProduct {
  row: ProductRow
  item: Product
  names: CatalogNames
}

/** Loads what is to be changed, once it is this request's turn to change the catalog; throws the not-found problem or a failed precondition. */
export async function loadProduct(context: WriteContext, id: string): Promise<LoadedProduct> {
  const { tx, tenant } = context
  await lockCatalog(tx, tenant.id)
  const row = await getRecord(tx, 'products', tenant.id, id, 'product')
  requireRevision(context, row.revision_number)
  const names = await loadProductNames(tx, tenant.id, [
    row.id,
    ...(row.parent_product_id ? [row.parent_product_id] : []),
  ])
  const tags = await tagsOf(tx, tenant.id, [row.id])
  return { row, item: toItem(row, names, tags.get(row.id) ?? []), names }
}

/** A body as far as it speaks of features. */
export interface GivenBody {
  features?: readonly GivenFeature[] | null
}

/** A body whose features are named by code and completed from the product's feature catalog, which a new product has not. */
export async function completeBody(
  { tx, tenant }: WriteContext,
  productId: string | undefined,
  body: GivenBody,
): Promise<object> {
  if (!body.features?.length) return body
  const entries = productId ? await listEntriesOf(tx, tenant.id, [productId]) : []
  return { ...body, features: completeFeatures(standingAsGiven(body.features), entries) }
}

/** What a body makes of a product (of none: a new one), its parent named by code; the properties that it does not name go unless `keepsProperties`. */
export async function applyProduct(
  { tx, tenant }: WriteContext,
  names: CatalogNames,
  before: LoadedProduct | undefined,
  body: object,
  keepsProperties = false,
): Promise<Product> {
  const { parentProductId, ...given } = readBody(productBodyFields, body, before ? productClears : {})
  const parent: { parentProductCode?: string | null; parentProductVersion?: string | null } = {}
  if (parentProductId === null) Object.assign(parent, { parentProductCode: null, parentProductVersion: null })
  else if (parentProductId !== undefined) {
    const row = await getParent(tx, tenant.id, String(parentProductId), before?.row.id)
    names.addProduct(row.id, { productCode: row.product_code, productVersion: row.product_version })
    Object.assign(parent, { parentProductCode: row.product_code, parentProductVersion: row.product_version })
  }
  refuseRepeated('product', given, body)
  if (before && keepsProperties && given.propertyValues)
    given.propertyValues = mergeProperties(before.item.propertyValues, given.propertyValues as GivenProperties)
  return applyBody('product', productBodyFields, before?.item ?? {}, { ...given, ...parent }) as unknown as Product
}

/** Writes a product that keeps every rule, with its own suite in step; answers its id. Nothing moves when it is as before. */
export async function writeProduct(
  context: WriteContext,
  names: CatalogNames,
  given: Product,
  before?: LoadedProduct,
  body: object = {},
): Promise<string> {
  const { tx, tenant } = context
  const tags = await asRegistered(tx, tenant.id, 'Product', given.tags)
  const item = canonicalItem('product', { ...given, tags }) as unknown as Product
  const { breaches } = checkItem('product', item, new CatalogModel())
  refuseBreaches(breaches, (path) => pointerOf('product', body, path))
  if (before && sameValue(before.item, item)) return before.row.id
  await refuseTakenKeys(tx, tenant.id, item, before?.row.id)
  if (before) await refuseNeededFeatures(tx, tenant.id, before.row.id, before.item, item)
  const stamp = stampOf(context)
  const row = toRow(item, before?.row.id ?? newId(), names, stamp, before?.row)
  await writeRecords(tx, 'products', [row])
  await writeOwnSuite(tx, row.id, item, stamp)
  await assignTags(tx, 'Product', row.id, item.tags, stamp)
  await moveRevision(tx, tenant.id)
  return row.id
}
