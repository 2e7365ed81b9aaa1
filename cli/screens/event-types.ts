import type { EventTypeRecord } from '../tasks/webhook-events.ts'
import { visible, visibleJson } from '../visible-text.ts'
import type { Canvas } from './comparison.ts'
import { factLines } from './license.ts'
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

/** One type of event, with the schema of its data and an example. */
export const eventTypeLines = (eventType: EventTypeRecord): string[] => [
  visible(`${eventType.type}: ${eventType.description}`),
  ...factLines([
    ['entity kind', eventType.entityKind],
    ['version', String(eventType.eventVersion)],
  ]),
  '',
  'The schema of its data (further fields may come, to be ignored):',
  ...jsonLines(eventType.dataSchema),
  '',
  'An example:',
  ...jsonLines(eventType.example),
]

const jsonLines = (value: unknown) => visibleJson(JSON.stringify(value, null, 2)).split('\n')
