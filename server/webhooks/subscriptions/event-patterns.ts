import { events } from '../../vocabulary/events.ts'
import { covers } from './matching.ts'

const types = Object.keys(events)

/** What is wrong with a pattern of event types, or nothing: a type, `Prefix.*` of some types, or `*`. */
export const explainPattern = (pattern: string): string | undefined =>
  types.some((type) => covers(pattern, type))
    ? undefined
    : `${JSON.stringify(pattern)} names no event: give a type such as "Entitlement.Activated", a prefix of whole words such as "Entitlement.*", or "*"`
