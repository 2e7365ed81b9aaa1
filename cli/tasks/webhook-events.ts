import type { ChosenPlace } from '../environments/choosing.ts'
import { nearest } from '../nearest.ts'
import { Problem } from '../problems.ts'
import { duringPhase } from '../progress.ts'
import { tenantClient } from '../server-client.ts'
import type { EventTypes } from './tenant-records.ts'

export type EventTypeRecord = EventTypes[number]

/** Every type of event that a server sends, as it says to anyone. */
export const listEventTypes = ({ url }: ChosenPlace): Promise<EventTypes> =>
  duringPhase(`Asking ${new URL(url).host}`, async () => {
    const answer = (await tenantClient(url).callRest('GET', '/api/v1/webhooks/schemas')) as {
      eventTypes?: EventTypes
    } | null
    if (Array.isArray(answer?.eventTypes)) return answer.eventTypes
    throw new Problem('cli.unreadable_answer', 'The server answered without types of events.')
  })

/** One type of event by its name, whatever its letter case. Raises cli.input, naming the likeliest meant. */
export async function findEventType(place: ChosenPlace, name: string): Promise<EventTypeRecord> {
  const types = await listEventTypes(place)
  const found = types.find(({ type }) => type.toLowerCase() === name.trim().toLowerCase())
  if (found) return found
  const meant = nearest(
    name,
    types.map(({ type }) => type),
  )
  throw new Problem('cli.input', `There is no event "${name}".`, {
    hint: meant.length > 0 ? meant.join(' or ') : 'licet webhook events lists them',
  })
}
