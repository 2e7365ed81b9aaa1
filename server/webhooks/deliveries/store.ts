import type { Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { insertStatements, runStatements, storeOf } from '../../kit/records/store.ts'
import type { DeliveryRow } from './pending.ts'

/** Keeps new deliveries, however many, in few statements. */
export const insertDeliveries = (tx: Tx, rows: readonly DeliveryRow[]): Promise<void> =>
  runStatements(tx, insertStatements(storeOf(tx), 'webhook_deliveries', rows))

/** Keeps attempts, however many, in few statements. What an endpoint answered may hold a NUL, which PostgreSQL keeps in no text. */
export async function insertAttempts(tx: Tx, rows: readonly Tables['webhook_attempts'][]): Promise<void> {
  const kept = rows.map((row) => ({
    ...row,
    response_excerpt: row.response_excerpt?.replaceAll('\0', '\ufffd') ?? null,
  }))
  await runStatements(tx, insertStatements(storeOf(tx), 'webhook_attempts', kept))
}

/**
 * Lets what waits for a subscription be tried from now on, with a whole budget: that nobody listened for a while is no
 * fault of the delivery. What was never tried is due already.
 */
export async function resumeDeliveries(tx: Tx, subscriptionId: string, now: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ attempts: 0, budget_started_at: null, next_attempt_at: now })
    .where('subscription_id', '=', subscriptionId)
    .where('status', '=', 'Pending')
    .where('claimed_by', 'is', null)
    .where('budget_started_at', 'is not', null)
    .execute()
}

/** Gives up whatever is still pending for a subscription, also what a process has in hand at the moment. */
export async function buryDeliveries(tx: Tx, subscriptionId: string, now: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'DeadLettered', next_attempt_at: null, claimed_by: null, ended_at: now })
    .where('subscription_id', '=', subscriptionId)
    .where('status', '=', 'Pending')
    .execute()
}
