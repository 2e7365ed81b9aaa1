import { parseExactly } from '../../kit/decimal.ts'
import { toInstant } from '../../kit/instants.ts'
import type { AuditEntry } from './contract.ts'
import type { EntryRow } from './store.ts'

/** An entry as it is answered. */
export const toWire = (row: EntryRow): AuditEntry => ({
  id: row.id,
  occurredAt: toInstant(row.occurred_at),
  actor: row.actor,
  operation: row.operation,
  recordKind: row.record_kind,
  recordId: row.record_id,
  correlationId: row.correlation_id,
  before: fieldsOf(row.before),
  after: fieldsOf(row.after),
})

const fieldsOf = (text: string | null) => (text === null ? null : (parseExactly(text) as Record<string, unknown>))
