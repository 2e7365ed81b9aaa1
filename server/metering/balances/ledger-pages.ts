import type { Readable } from '../../database/database.ts'
import type { ListQuery } from '../../kit/collection.ts'
import { readStored, wireNumber } from '../../kit/decimal.ts'
import type { ColumnField } from '../../kit/filter/fields.ts'
import { toInstant } from '../../kit/instants.ts'
import { listRows } from '../../kit/records/plain-list.ts'
import type { EntryKind } from '../consumption/course.ts'
import { entriesOf } from './store.ts'

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

/** What a ledger is filtered and sorted by. */
export const entryFilterFields: readonly [ColumnField, ...ColumnField[]] = [
  { ...column('id', 'id'), type: 'uuid' },
  { ...column('kind', 'kind'), type: 'enum', values: entryKinds },
  { ...column('amount', 'amount'), type: 'amount' },
  { ...column('balanceAfter', 'balance_after'), type: 'amount' },
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
