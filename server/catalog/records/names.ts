import { type ProductName, productText } from '../../../catalog-schema/keys.ts'
import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import type { CatalogTables } from '../tables.ts'

export type FullProductName = { productCode: string; productVersion: string | null }
export type FeatureName = FullProductName & { featureCode: string }
export type PlanSetName = { suiteCode: string; name: string }

/** Ids and natural keys of the records that others name, both ways round. */
export class CatalogNames {
  readonly #products = new Map<string, FullProductName>()
  readonly #suites = new Map<string, string>()
  readonly #features = new Map<string, FeatureName>()
  readonly #planSets = new Map<string, PlanSetName>()
  readonly #groups = new Map<string, string>()
  readonly #ids = new Map<string, string>()

  addProduct(id: string, { productCode, productVersion }: ProductName): void {
    this.#products.set(id, { productCode, productVersion: productVersion || null })
    this.#ids.set(`product ${productText({ productCode, productVersion })}`, id)
  }

  addSuite(id: string, code: string): void {
    this.#suites.set(id, code)
    this.#ids.set(`suite ${code}`, id)
  }

  addFeature(id: string, productId: string, featureCode: string): void {
    this.#features.set(id, { ...this.product(productId), featureCode })
    this.#ids.set(`feature ${productId} ${featureCode}`, id)
  }

  addPlanSet(id: string, suiteId: string, name: string): void {
    this.#planSets.set(id, { suiteCode: this.suite(suiteId), name })
    this.#ids.set(`planSet ${suiteId} ${name}`, id)
  }

  addGroup(id: string, name: string): void {
    this.#groups.set(id, name)
    this.#ids.set(`group ${name}`, id)
  }

  product = (id: string) => known(this.#products.get(id), id)
  suite = (id: string) => known(this.#suites.get(id), id)
  feature = (id: string) => known(this.#features.get(id), id)
  planSet = (id: string) => known(this.#planSets.get(id), id)

  /** The name of an organization group, and its id; of one that is not known, as it is given: a request names groups by id. */
  group = (id: string) => this.#groups.get(id.toLowerCase()) ?? id
  groupId = (name: string) => this.#ids.get(`group ${name}`) ?? name

  get groupNames(): string[] {
    return [...this.#groups.values()]
  }

  findProduct = (id: string) => this.#products.get(id)
  findFeature = (id: string) => this.#features.get(id)

  productId = (name: ProductName) => known(this.#ids.get(`product ${productText(name)}`), productText(name))
  suiteId = (code: string) => known(this.#ids.get(`suite ${code}`), code)
  findFeatureId = (name: FeatureName) => this.#ids.get(`feature ${this.productId(name)} ${name.featureCode}`)
  planSetId = (name: PlanSetName) =>
    known(this.#ids.get(`planSet ${this.suiteId(name.suiteCode)} ${name.name}`), name.name)
}

/** A name asked for that was never loaded is a mistake of ours. */
function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`nothing is known of ${what}`)
  return value
}

/** The names of these products; unknown ids are left out. */
export async function loadProductNames(
  readable: Readable,
  tenantId: string,
  productIds: readonly string[],
): Promise<CatalogNames> {
  if (productIds.length === 0) return new CatalogNames()
  const products = await readable
    .selectFrom('products')
    .select(['id', 'product_code', 'product_version'])
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .where('id', 'in', [...new Set(productIds.map((id) => id.toLowerCase()))])
    .execute()
  return namesOf(products)
}

/** What of a row names its record. */
type NamingProduct = Pick<CatalogTables['products'], 'id' | 'product_code' | 'product_version'>
type NamingSuite = Pick<CatalogTables['suites'], 'id' | 'code'>

/** The names of these products and suites; features and plan sets are added as they are read. */
export function namesOf(products: readonly NamingProduct[], suites: readonly NamingSuite[] = []): CatalogNames {
  const names = new CatalogNames()
  for (const { id, product_code, product_version } of products)
    names.addProduct(id, { productCode: product_code, productVersion: product_version })
  for (const { id, code } of suites) names.addSuite(id, code)
  return names
}
