import { eventData } from '../../vocabulary/event-data.ts'
import { type EventType, events } from '../../vocabulary/events.ts'
import { exampleOf } from './examples.ts'

const eventTypes = Object.keys(events) as EventType[]

/** Every type of event in the order of the catalogue, each with the JSON Schema (draft 2020-12) of its data. */
export const listEventTypes = () =>
  eventTypes.map((type) => {
    const [entityKind, eventVersion, description] = events[type]
    const dataSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: `The data of ${type}`,
      description,
      ...eventData[type],
    }
    return { type, entityKind, eventVersion, description, dataSchema, example: exampleOf(type) }
  })
