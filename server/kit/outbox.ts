import type { Tx } from '../database/database.ts'
import type { EventData } from '../vocabulary/event-data.ts'
import { type EventType, events } from '../vocabulary/events.ts'
import { announceHere, announcementChannel } from './announcement.ts'
import { recurs } from './compiled-query.ts'
import { newId } from './ids.ts'
import { insertStatements, runStatements, storeOf } from './records/store.ts'

/** Whose event it is, when it happened on the tenant's clock, who caused it, and in which request. */
export interface Cause {
  tx: Tx
  tenantId: string
  now: number
  actor: string
  correlationId: string
}

/** What is told of an event; `subject` is the entity's id unless told. */
interface Told<Type, Data> {
  type: Type
  entityId: string
  subject?: string
  data: Data
}

/** What is told of an event, its data as its type has them. */
export type Happening = { [T in EventType]: Told<T, EventData[T]> }[EventType]

/** What is told, and by whose doing. */
export interface Caused {
  cause: Cause
  happening: Happening
}

/** Records events in the transaction of the change that causes them: no change without its event, no event without its change. */
export const recordEvents = (cause: Cause, happenings: readonly Happening[]): Promise<void> =>
  recordCaused(
    cause.tx,
    happenings.map((happening) => ({ cause, happening })),
  )

/** The same of what several requests cause in one transaction. */
export async function recordCaused(tx: Tx, told: readonly Caused[]): Promise<void> {
  if (told.length === 0) return
  const store = storeOf(tx)
  const rows = told.map(({ cause, happening }) => eventRow(cause, happening))
  const waiting = rows.map(({ id, tenant_id }) => ({ event_id: id, tenant_id }))
  await runStatements(tx, [
    ...insertStatements(store, 'events', rows),
    ...insertStatements(store, 'undispatched_events', waiting, store === 'postgres' ? `returning ${notify}` : ''),
  ])
  if (store === 'sqlite') announceHere()
}

/** An event as it is kept. */
export const eventRow = (cause: Omit<Cause, 'tx'>, { type, entityId, subject, data }: Told<EventType, object>) => ({
  id: newId(),
  tenant_id: cause.tenantId,
  type,
  entity_kind: events[type][0],
  entity_id: entityId,
  subject: subject ?? entityId,
  event_version: events[type][1],
  occurred_at: cause.now,
  actor: cause.actor,
  correlation_id: cause.correlationId,
  data: JSON.stringify(data),
})

/** Wakes those who deliver, in this process and in others, once the transaction is committed; who misses it looks by itself. */
export async function announce(tx: Tx): Promise<void> {
  if (storeOf(tx) === 'sqlite') announceHere()
  else await runStatements(tx, [{ text: recurs(`select ${notify}`), parameters: [] }])
}

/** However often in a transaction, it is told once. */
const notify = `pg_notify('${announcementChannel}', '')`
