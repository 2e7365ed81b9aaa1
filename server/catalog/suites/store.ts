import { type SelectQueryBuilder, sql } from 'kysely'
import type { Readable } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { no } from '../../kit/flags.ts'
import type { ListSource } from '../../kit/records/store.ts'
import { suiteFilterFields } from './fields.ts'

/** A tenant's suites, each with whether it is a product's own. */
export const suiteSource: ListSource<Tables['suites']> = {
  table: 'suites',
  fields: suiteFilterFields,
  rows: (read, tenantId) =>
    read
      .selectFrom('suites')
      .selectAll()
      .select(sql<number>`case when own_product_id is null then 0 else 1 end`.as('is_implicit'))
      .where('tenant_id', '=', tenantId) as unknown as SelectQueryBuilder<Tables, never, Tables['suites']>,
}

/** The live suite with a code, a product's own included. */
export const findSuiteByCode = (readable: Readable, tenantId: string, code: string) =>
  readable
    .selectFrom('suites')
    .select(['id', 'own_product_id'])
    .where('tenant_id', '=', tenantId)
    .where('code', '=', code)
    .where('is_deleted', '=', no)
    .executeTakeFirst()
