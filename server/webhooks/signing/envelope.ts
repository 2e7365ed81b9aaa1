import type { Tables } from '../../database/tables.ts'
import { toInstant } from '../../kit/instants.ts'

export type EventRow = Tables['events']

/** The attributes of an event beside its data (CloudEvents 1.0, "Context Attributes"; tenantid, entitykind, entityid and eventversion are extensions), in the order in which they are sent. */
export const attributesOf = (event: Omit<EventRow, 'data'>) => ({
  specversion: '1.0',
  id: event.id,
  source: `urn:service:tenant:${event.tenant_id}`,
  type: event.type,
  time: toInstant(event.occurred_at),
  subject: event.subject,
  datacontenttype: 'application/json',
  tenantid: event.tenant_id,
  entitykind: event.entity_kind,
  entityid: event.entity_id,
  eventversion: event.event_version,
})

/** An event as every delivery of it has it, the same bytes each time: its data are written as they were recorded, digit by digit. */
export function envelopeOf(event: EventRow): Buffer {
  const attributes = JSON.stringify(attributesOf(event))
  return Buffer.from(`${attributes.slice(0, -1)},"data":${event.data}}`)
}
