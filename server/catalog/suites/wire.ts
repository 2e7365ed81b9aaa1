import type { Static } from 'typebox'
import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
import { tailOf } from '../../kit/records/answers.ts'
import { getRecord } from '../../kit/records/store.ts'
import type { CatalogTables } from '../tables.ts'
import type { SuiteRecord } from './contract.ts'
import type { StoredMember } from './items.ts'

/** Suites as they are answered, members by sort order. */
export async function toWire(
  readable: Readable,
  tenantId: string,
  rows: readonly CatalogTables['suites'][],
): Promise<Static<typeof SuiteRecord>[]> {
  const membersOf = new Map(rows.map(({ id, members }) => [id, JSON.parse(members) as StoredMember[]]))
  const productIds = new Set([...membersOf.values()].flat().map(({ productId }) => productId))
  const products = await listNamedProducts(readable, tenantId, [...productIds])
  return rows.map((row) => ({
    id: row.id,
    code: row.code,
    name: row.name,
    description: row.description,
    members: membersOf.get(row.id)!.flatMap(({ productId, sortOrder }) => {
      const product = products.get(productId)
      return product ? [{ productId, productCode: product.product_code, productName: product.name, sortOrder }] : []
    }),
    isImplicit: row.own_product_id !== null,
    ...tailOf(row),
  }))
}

/** One suite as it is answered; throws the not-found problem. */
export async function answerSuite(readable: Readable, tenantId: string, id: string) {
  return (await toWire(readable, tenantId, [await getRecord(readable, 'suites', tenantId, id, 'suite')]))[0]!
}

async function listNamedProducts(readable: Readable, tenantId: string, ids: readonly string[]) {
  const rows = await readable
    .selectFrom('products')
    .select(['id', 'product_code', 'name'])
    .where(isTenants(readable, tenantId))
    .where(isAmong(readable, 'id', listed(readable, ids)))
    .where('is_deleted', '=', no)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
