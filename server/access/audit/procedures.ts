import { toInstant } from '../../kit/clock.ts'
import { parseExactly } from '../../kit/decimal.ts'
import { query } from '../../kit/procedure.ts'
import { type AuditEntry, auditContracts } from './contract.ts'
import { type EntryRow, getEntry, listEntries } from './store.ts'

/** What was done, for those who look it up. */
export const auditProcedures = {
  list: query(auditContracts.list, async ({ read, tenant }, input) => {
    const page = await listEntries(read, tenant.id, input)
    return { ...page, items: page.items.map(toWire) }
  }),

  get: query(auditContracts.get, async ({ read, tenant }, { id }) => toWire(await getEntry(read, tenant.id, id))),
}

const toWire = (row: EntryRow): AuditEntry => ({
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
