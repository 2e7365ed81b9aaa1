import { implicitSuiteCode, keyOf } from '../../../catalog-schema/keys.ts'
import type { Product } from '../../../catalog-schema/product.ts'
import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { Problem } from '../../kit/problem.ts'

/** Refuses a code and version that another product has, or that name another suite. */
export async function refuseTakenKeys(readable: Readable, tenantId: string, product: Product, ownId?: string) {
  const { productCode, productVersion } = product
  const twin = await readable
    .selectFrom('products')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .where('product_code', '=', productCode)
    .where('product_version', productVersion === null ? 'is' : '=', productVersion)
    .executeTakeFirst()
  if (twin && twin.id !== ownId)
    throw new Problem('catalog.duplicate_key', `There is a ${keyOf('product', product)} already.`)
  const code = implicitSuiteCode(product)
  const suite = await readable
    .selectFrom('suites')
    .select('own_product_id')
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .where('code', '=', code)
    .executeTakeFirst()
  if (suite && (suite.own_product_id === null || suite.own_product_id !== ownId))
    throw new Problem(
      'catalog.duplicate_key',
      `The product's own suite would be called ${code}, and there is a suite of that code already.`,
    )
}
