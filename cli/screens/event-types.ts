import type { EventTypeRecord } from '../tasks/webhook-events.ts'
import { visible, visibleJson } from '../visible-text.ts'
import type { Canvas } from './canvas.ts'
import { factLines } from './license.ts'
import { schemaFieldLines } from './schema-fields.ts'
import { stackedTable } from './stacking.ts'

/** Types of events, one a row. */
export const eventTypeListLines = (types: readonly EventTypeRecord[], canvas: Canvas): string[] =>
  stackedTable(
    ['EVENT', 'ENTITY KIND', 'FIRES WHEN'],
    types.map(({ type, entityKind, description }) => ({
      cells: [type, entityKind, description],
      head: type,
      below: [description, entityKind],
    })),
    canvas,
  )

/** One type of event, with the fields of its data and an example. */
export const eventTypeLines = (eventType: EventTypeRecord, canvas: Canvas): string[] => [
  visible(`${eventType.type}: ${eventType.description}`),
  ...factLines([
    ['entity kind', eventType.entityKind],
    ['version', String(eventType.eventVersion)],
  ]),
  '',
  ...schemaFieldLines(eventType.dataSchema, canvas),
  '',
  'An example (further fields may come, to be ignored; --json has the JSON Schema):',
  ...jsonLines(eventType.example),
]

const jsonLines = (value: unknown) => visibleJson(JSON.stringify(value, null, 2)).split('\n')
