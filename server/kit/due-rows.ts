import { sql } from 'kysely'
import type { Readable } from '../database/database.ts'
import type { DueWork } from './due-work.ts'

/** When something is due of the rows of a table that have the instant (milliseconds) in a column, null for those that wait for nothing. */
export const dueRows = (table: string, column: string): Pick<DueWork, 'findNext' | 'findTenants'> => ({
  async findNext(read, tenantId) {
    const [row] = await rowsOf<{ at: number }>(
      read,
      sql`select ${sql.ref(column)} as at from ${sql.table(table)}
where tenant_id = ${tenantId} and ${sql.ref(column)} is not null order by ${sql.ref(column)} limit 1`,
    )
    return row?.at
  },

  async findTenants(read, realNow) {
    const rows = await rowsOf<{ id: string }>(
      read,
      sql`select id from tenants where exists (select 1 from ${sql.table(table)} as due
where due.tenant_id = tenants.id and due.${sql.ref(column)} <= tenants.clock_offset + ${realNow})`,
    )
    return rows.map(({ id }) => id)
  },
})

const rowsOf = async <Row>(read: Readable, query: ReturnType<typeof sql<Row>>) => (await query.execute(read)).rows
