import type { Tx } from '../../database/database.ts'
import { insertAttempts } from '../deliveries/store.ts'
import { suspendSubscription } from '../subscriptions/store.ts'
import type { Attempted } from './attempt.ts'
import { type Fare, lockSubscriptions, recordFares, recordStandings } from './store.ts'

/** So many dead letters in a row suspend a subscription. */
const mostDeadLetters = 50

/** A subscription that may be told nothing more; `isNew` when it has just come to that, and not by an attempt before. */
interface Suspended {
  id: string
  because: string
  isNew: boolean
}

/** Records attempts, how their deliveries stand and how the subscriptions fare; answers which of those are suspended for it. */
export async function recordAttempts(tx: Tx, attempted: readonly Attempted[]): Promise<Suspended[]> {
  if (attempted.length === 0) return []
  // Those that may be suspended come before their deliveries, as for whoever edits one.
  const failing = attempted.filter(({ outcome, standing }) => outcome === 'gone' || standing.status === 'DeadLettered')
  await lockSubscriptions(tx, [...new Set(failing.map(({ subscriptionId }) => subscriptionId))])
  await insertAttempts(
    tx,
    attempted.map(({ row }) => row),
  )
  const recorded = await recordStandings(
    tx,
    attempted.map(({ standing }) => standing),
  )
  const counting = attempted.filter(({ standing }) => recorded.has(standing.id))
  const bySubscription = Map.groupBy(counting, ({ subscriptionId }) => subscriptionId)
  const fares = [...bySubscription]
    .map(([id, made]) => fareOf(id, made))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  const counted = new Map((await recordFares(tx, fares)).map((fare) => [fare.id, fare.dead_letters_in_row]))
  const suspended: Suspended[] = []
  for (const { id } of fares) {
    const made = bySubscription.get(id)!
    const gone = made.findLast(({ outcome }) => outcome === 'gone')
    if (!gone && (counted.get(id) ?? 0) < mostDeadLetters) continue
    const last = gone ?? made.at(-1)!
    const isNew = await suspendSubscription(
      tx,
      { tenant_id: last.row.tenant_id, id },
      last.row.attempted_at + last.row.latency_millis,
    )
    const because = gone ? 'the endpoint answered 410' : `${mostDeadLetters} dead letters in a row`
    suspended.push({ id, because, isNew })
  }
  return suspended
}

/** How a subscription fares by attempts in the order in which they ended. */
function fareOf(id: string, made: readonly Attempted[]): Fare {
  const fare: Fare = { id, delivered_at: null, failures: 0, dead_letters: 0 }
  for (const { outcome, standing } of made)
    if (outcome === 'delivered') Object.assign(fare, { delivered_at: standing.ended_at, failures: 0, dead_letters: 0 })
    else {
      fare.failures += 1
      if (standing.status === 'DeadLettered') fare.dead_letters += 1
    }
  return fare
}
