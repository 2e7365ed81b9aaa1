import type { SelectQueryBuilder } from 'kysely'
import type { Readable } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'

/** The movements of a balance. */
export const entriesOf = (
  read: Readable,
  tenantId: string,
  meterId: string,
): SelectQueryBuilder<Tables, 'balance_entries', object> =>
  read.selectFrom('balance_entries').where('tenant_id', '=', tenantId).where('meter_id', '=', meterId)
