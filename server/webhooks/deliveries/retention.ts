import { setImmediate as nextTurn } from 'node:timers/promises'
import { readWebhookRetention } from '../../access/settings/webhook-retention.ts'
import type { Database } from '../../database/database.ts'
import { subtractDuration } from '../../kit/duration-adding.ts'
import { budgetMillis } from '../dispatch/retrying.ts'
import {
  deleteDeliveries,
  deleteEvents,
  giveUpWaiting,
  listEndedDeliveries,
  listOldEvents,
  listSubscriptionsAhead,
  listTenantsWithEvents,
  type OldEvent,
  resumeDeliveriesAhead,
} from './store.ts'

/** The shortest time that anything is kept. */
const day = 24 * 3_600_000
/** Longer than any attempt is planned ahead, and the clocks of processes differ. */
const mostAhead = budgetMillis + 60_000
/** How much one transaction forgets, so that no request waits long for it. */
const mostAtOnce = 200

/**
 * Forgets deliveries that have been over for as long as their tenant keeps them, with their attempts, and events as old as
 * that of which no delivery tells any more. What has waited as long as dead letters are kept, for a subscription that nobody
 * made Active again, becomes one. What was planned for later than any attempt is, when the clock was ahead, is due now. Stops
 * early when the signal is raised.
 */
export async function purgeDeliveries(database: Database, signal?: AbortSignal): Promise<void> {
  for (const { id, now } of await listSubscriptionsAhead(database.read, Date.now(), mostAhead))
    await database.transact((tx) => resumeDeliveriesAhead(tx, id, now, mostAhead))
  for (const { id, now } of await listTenantsWithEvents(database.read, Date.now(), day)) {
    const { delivered, deadLettered } = await readWebhookRetention(database.read, id)
    const ends = [
      { status: 'Delivered' as const, before: subtractDuration(now, delivered) },
      { status: 'DeadLettered' as const, before: subtractDuration(now, deadLettered) },
    ]
    const oldest = subtractDuration(now, deadLettered)
    await database.transact((tx) => giveUpWaiting(tx, id, oldest, now))
    for (const { status, before } of ends)
      await repeat(signal, () =>
        database.transact(async (tx) => {
          const ids = await listEndedDeliveries(tx, id, status, before, mostAtOnce)
          await deleteDeliveries(tx, ids)
          return ids.length === mostAtOnce
        }),
      )
    await purgeEvents(database, id, Math.min(...ends.map(({ before }) => before)), signal)
  }
}

/** Goes through all old events, those that are kept included, each once. */
async function purgeEvents(database: Database, tenantId: string, before: number, signal?: AbortSignal): Promise<void> {
  let last: OldEvent | undefined
  await repeat(signal, async () => {
    const found = await listOldEvents(database.read, tenantId, before, last, mostAtOnce)
    last = found.at(-1)
    const ids = found.filter(({ is_needed }) => !is_needed).map(({ id }) => id)
    if (ids.length > 0) await database.transact((tx) => deleteEvents(tx, ids))
    return found.length === mostAtOnce
  })
}

/** Does a slice of something again and again, others having their turn in between, until it answers that it was the last. */
async function repeat(signal: AbortSignal | undefined, slice: () => Promise<boolean>): Promise<void> {
  while (!signal?.aborted && (await slice())) await nextTurn()
}
