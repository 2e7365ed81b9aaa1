import { CatalogModel } from '../../../catalog-schema/model.ts'
import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
import { CatalogNames } from '../records/names.ts'
import type { CatalogTables } from '../tables.ts'

/** A suite as others ask about it; a product's own has that product as its one member. */
export interface SuiteStanding {
  id: string
  code: string
  ownProductId: string | null
  memberIds: string[]
}

/** What the rules for plan sets, add-ons and offers ask about: suites, their products, and the features of those. */
export interface CatalogAround {
  model: CatalogModel
  /** The products, their catalog entries and the suites, by id and by name. */
  names: CatalogNames
  /** The catalog entries of the products. */
  entries: { id: string; productId: string; featureCode: string }[]
}

/** The products with their features (catalog entries and attached ones), and the suites, as a catalog of their own; ids that nobody has are left out. */
export async function loadAround(
  readable: Readable,
  tenantId: string,
  productIds: readonly string[],
  suites: readonly SuiteStanding[],
): Promise<CatalogAround> {
  const model = new CatalogModel()
  const names = new CatalogNames()
  const entries: CatalogAround['entries'] = []
  const wanted = [...new Set([...productIds, ...suites.flatMap(({ memberIds }) => memberIds)])]
  const ids = listed(readable, wanted)
  for (const row of await listProducts(readable, tenantId, ids)) {
    names.addProduct(row.id, { productCode: row.product_code, productVersion: row.product_version })
    model.add('product', { ...names.product(row.id), features: JSON.parse(row.features) })
  }
  for (const row of await listFeatures(readable, tenantId, ids)) {
    names.addFeature(row.id, row.product_id, row.feature_code)
    entries.push({ id: row.id, productId: row.product_id, featureCode: row.feature_code })
    model.add('feature', {
      ...names.product(row.product_id),
      featureCode: row.feature_code,
      featureType: row.feature_type,
      enumOptions: JSON.parse(row.enum_options),
    })
  }
  for (const { id, code, ownProductId, memberIds } of suites) {
    names.addSuite(id, code)
    if (ownProductId === null)
      model.add('suite', { code, members: memberIds.flatMap((member) => names.findProduct(member) ?? []) })
  }
  return { model, names, entries }
}

const listProducts = (readable: Readable, tenantId: string, ids: unknown) =>
  readable
    .selectFrom('products')
    .select(['id', 'product_code', 'product_version', 'features'])
    .where(isTenants(readable, tenantId))
    .where(isAmong(readable, 'id', ids))
    .where('is_deleted', '=', no)
    .execute()

const listFeatures = (readable: Readable, tenantId: string, productIds: unknown) =>
  readable
    .selectFrom('features')
    .select(['id', 'product_id', 'feature_code', 'feature_type', 'enum_options'])
    .where('tenant_id', '=', tenantId)
    .where(isAmong(readable, 'product_id', productIds))
    .where('is_deleted', '=', no)
    .execute()

/** What others need to know of a suite's row. */
export function suiteStanding(row: CatalogTables['suites']): SuiteStanding {
  const members = JSON.parse(row.members) as { productId: string }[]
  return {
    id: row.id,
    code: row.code,
    ownProductId: row.own_product_id,
    memberIds: members.map(({ productId }) => productId),
  }
}

const live = (readable: Readable, tenantId: string) =>
  readable.selectFrom('suites').selectAll().where('tenant_id', '=', tenantId).where('is_deleted', '=', no)

/** The suite of that id; undefined when there is none. */
export async function findSuite(readable: Readable, tenantId: string, id: string): Promise<SuiteStanding | undefined> {
  const row = await live(readable, tenantId).where('id', '=', id).executeTakeFirst()
  return row && suiteStanding(row)
}

/** The suite that a stored record belongs to. */
export async function getSuite(readable: Readable, tenantId: string, id: string): Promise<SuiteStanding> {
  return suiteStanding(await live(readable, tenantId).where('id', '=', id).executeTakeFirstOrThrow())
}

/** A product's own suite; undefined when there is no such product. */
export async function findOwnSuite(
  readable: Readable,
  tenantId: string,
  productId: string,
): Promise<SuiteStanding | undefined> {
  const row = await live(readable, tenantId).where('own_product_id', '=', productId).executeTakeFirst()
  return row && suiteStanding(row)
}

/** The suites that have one of these products as a member, the products' own included. */
export async function listSuitesWith(
  readable: Readable,
  tenantId: string,
  productIds: readonly string[],
): Promise<SuiteStanding[]> {
  if (productIds.length === 0) return []
  const rows = await live(readable, tenantId)
    .where((eb) => eb.or([eb('own_product_id', 'is', null), eb('own_product_id', 'in', productIds)]))
    .execute()
  return rows.map(suiteStanding).filter(({ memberIds }) => memberIds.some((id) => productIds.includes(id)))
}
