import { type SelectQueryBuilder, sql } from 'kysely'
import type { Readable } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { toInstant } from '../../kit/clock.ts'
import type { ListQuery } from '../../kit/collection.ts'
import { readStored, wireNumber } from '../../kit/decimal.ts'
import type { ColumnField } from '../../kit/filter/fields.ts'
import { listRows } from '../../kit/records/plain-list.ts'
import type { EntryKind } from '../consumption/course.ts'

/** Why a balance moves. */
export const entryKinds = [
  'Initial',
  'Deposit',
  'Grant',
  'Deduction',
  'Consumption',
  'Lapse',
  'AutoBalance',
  'Waived',
] as const satisfies readonly EntryKind[]

const column = (name: string, column: string) => ({ name, column: `balance_entries.${column}`, nullable: false })

export const entryFilterFields: readonly [ColumnField, ...ColumnField[]] = [
  { ...column('id', 'id'), type: 'uuid' },
  { ...column('kind', 'kind'), type: 'enum', values: entryKinds },
  { ...column('amount', 'amount_number'), type: 'decimal' },
  { ...column('balanceAfter', 'balance_after_number'), type: 'decimal' },
  { ...column('occurredAt', 'occurred_at'), type: 'instant' },
  { ...column('reference', 'reference'), type: 'text', nullable: true },
  { ...column('actor', 'actor'), type: 'text' },
  { ...column('correlationId', 'correlation_id'), type: 'text' },
]

/** A page of the movements of a balance as they are answered, the newest first unless a sortOrder says otherwise. */
export async function listEntries(read: Readable, tenantId: string, meterId: string, query: ListQuery) {
  const page = await listRows(entriesOf(read, tenantId, meterId), entryFilterFields, '-id', query)
  return {
    ...page,
    items: page.items.map((row) => ({
      id: row.id,
      kind: row.kind as EntryKind,
      amount: wireNumber(readStored(row.amount)),
      balanceAfter: wireNumber(readStored(row.balance_after)),
      occurredAt: toInstant(row.occurred_at),
      reference: row.reference,
      actor: row.actor,
      correlationId: row.correlation_id,
    })),
  }
}

/** Amounts are kept as exact text, and compared as the doubles nearest to them. */
const entriesOf = (read: Readable, tenantId: string, meterId: string) =>
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
