/** What narrows a subscription beside its patterns; what is empty narrows nothing. */
export interface SubscriptionFilter {
  entityKinds: readonly string[]
  /** Levels of usage; an event without one has none of them. */
  severities: readonly string[]
  /** Values by attribute of the envelope or, else, by dotted path into the data, with or without `data.` before it. */
  attributes: Readonly<Record<string, string | number | boolean | null>>
}

/** An event as a subscription sees it: its attributes as they are sent, and its data. */
export interface Wantable {
  attributes: Record<string, unknown>
  data: unknown
}

const challenge = 'Webhooks.Registration.Challenge'

/** Whether a subscription is to be told of an event: by one of its patterns, and by all that its filter says. A challenge is wanted by nobody: it is sent to the one it is for. */
export function isWanted(
  wanted: { eventTypes: readonly string[]; filter: SubscriptionFilter },
  event: Wantable,
): boolean {
  const { type, entitykind } = event.attributes as { type: string; entitykind: string }
  if (type === challenge || !wanted.eventTypes.some((pattern) => covers(pattern, type))) return false
  const { entityKinds, severities, attributes } = wanted.filter
  if (entityKinds.length > 0 && !entityKinds.includes(entitykind)) return false
  if (severities.length > 0 && !severities.includes(ownOf(event.data, 'level') as string)) return false
  for (const path in attributes) if (valueAt(event, path) !== attributes[path]) return false
  return true
}

/** Whether a pattern (`*`, `Prefix.*` or a type) covers a type of event. */
export const covers = (pattern: string, type: string): boolean =>
  pattern === type || pattern === '*' || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))

/** Data stands in the envelope under that name, so that a path written from there means the same. */
function valueAt({ attributes, data }: Wantable, path: string): unknown {
  if (Object.hasOwn(attributes, path)) return attributes[path]
  const value = follow(data, path)
  return value === undefined && path.startsWith('data.') ? follow(data, path.slice('data.'.length)) : value
}

function follow(data: unknown, path: string): unknown {
  let value = data
  for (const name of path.split('.')) value = ownOf(value, name)
  return value
}

const ownOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
