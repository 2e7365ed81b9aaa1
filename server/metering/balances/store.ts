import { type SelectQueryBuilder, sql } from 'kysely'
import type { Readable } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'

/** The movements of a balance: their amounts are kept as exact text, and compared as the doubles nearest to them. */
export const entriesOf = (read: Readable, tenantId: string, meterId: string) =>
  read.selectFrom(
    read
      .selectFrom('balance_entries')
      .selectAll()
      .select([
        sql<number>`cast(amount as double precision)`.as('amount_number'),
        sql<number>`cast(balance_after as double precision)`.as('balance_after_number'),
      ])
      .where('tenant_id', '=', tenantId)
      .where('meter_id', '=', meterId)
      .as('balance_entries'),
  ) as unknown as SelectQueryBuilder<Tables, 'balance_entries', object>
