import { type EventType, events } from '../../vocabulary/events.ts'
import { exampleOf } from '../event-types/examples.ts'

/** Which field of an event's data holds the id of the record that it is about. */
const idFields: Record<(typeof events)[EventType][0], string> = {
  entitlement: 'entitlementId',
  'monitored-asset': 'monitoredAssetId',
  feedback: 'feedbackId',
  'data-subject-request': 'requestId',
  user: 'userId',
  'webhook-subscription': 'subscriptionId',
}

/** An event of a type as a test delivers it: about the record of its sample data, which say that it is a test. */
export function sampleOf(type: EventType) {
  const example: Record<string, unknown> = exampleOf(type)
  return { type, entityId: String(example[idFields[events[type][0]]]), data: { ...example, _test: true } }
}
