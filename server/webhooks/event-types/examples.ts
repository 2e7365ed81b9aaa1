import type { EventType } from '../../vocabulary/events.ts'

/** The data of an event of this type as they may look. */
export const exampleOf = (type: EventType): Record<string, unknown> => ({ type })
