import { isObject, readObject } from '../json-objects.ts'

/** What a body says of its event (CloudEvents 1.0), where it is an envelope; nothing of it is proved. */
export interface Envelope {
  id: string | null
  type: string | null
  tenantId: string | null
  /** Whether it says that it is a test (`_test` in its data). */
  isTest: boolean
}

/** The order in which the attributes of a delivery stand, its data last. */
export const envelopeOrder = [
  'specversion',
  'id',
  'source',
  'type',
  'time',
  'subject',
  'datacontenttype',
  'tenantid',
  'entitykind',
  'entityid',
  'eventversion',
  'data',
]

/** What a body says of its event; a body that is no JSON object says nothing. */
export function readEnvelope(body: Uint8Array): Envelope {
  const { id, type, tenantid, data } = readObject(body) ?? {}
  return {
    id: textOf(id),
    type: textOf(type),
    tenantId: textOf(tenantid),
    isTest: isObject(data) && data._test === true,
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
