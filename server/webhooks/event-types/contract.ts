import { Type } from 'typebox'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { contract } from '../../kit/contract.ts'

const AnyObject = (description: string) => Type.Unsafe<Record<string, unknown>>({ type: 'object', description })

const EventTypeRecord = Closed({
  type: Type.String({ description: 'The type, by which subscriptions ask for it.' }),
  entityKind: Type.String({ description: 'The kind of record that it is about: `entitykind` of the envelope.' }),
  eventVersion: Type.Integer({ description: 'The version of its data: `eventversion` of the envelope.' }),
  description: Type.String({ description: 'When it fires.' }),
  dataSchema: AnyObject('The JSON Schema (draft 2020-12) of its data. They may hold further fields, to be ignored.'),
  example: AnyObject('Data as they may look.'),
})

export const schemasContract = contract({
  name: 'webhooks.schemas',
  method: 'GET',
  path: '/api/v1/webhooks/schemas',
  access: 'anyone',
  summary: 'List every type of event',
  description: 'Open to anyone: receivers are written by it.',
  answer: Closed({ eventTypes: Type.Array(EventTypeRecord) }),
})
