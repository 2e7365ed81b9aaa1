import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database, Readable, Tx } from '../database/database.ts'
import { allDone } from './compiled-query.ts'
import type { Cause } from './outbox.ts'

/** What becomes due on a tenant's clock by itself, without a request. */
export interface DueWork {
  /** The earliest instant at which something of the tenant's is due; undefined when nothing will be. */
  findNext(read: Readable, tenantId: string): Promise<number | undefined>
  /** The tenants for which something is due by now, each on its own clock; `realNow` is that of a live tenant. */
  findTenants(read: Readable, realNow: number): Promise<string[]>
  /**
   * How far (milliseconds) it may go in one run beyond the first instant that is due, as long as nothing of others is due in
   * between; it then does each thing at its own time by itself.
   */
  stride?: number
  /**
   * Locks every row that will be due by `cause.now` at once, in the order in which requests lock them, and waits for those who
   * hold any. Locked by each run as they fall due, in another order, a request and the clock might each wait for what the other has.
   */
  hold?(cause: Cause): Promise<void>
  /**
   * Does what is due by `cause.now`, or a good part of it, so that it is due no more. Rows that another process has in hand are
   * left to it; or waited for, with `mustFinish`, by a lock, so that the database sees when both wait for each other.
   */
  run(cause: Cause, mustFinish?: boolean): Promise<void>
}

/** How many instants of a tenant's one transaction deals with before it is the next tenant's turn. */
const stepsOfTurn = 10

/**
 * Does what becomes due up to an instant, in its order, each at its own time, and answers the instant up to which all is done: an
 * earlier one when it took more than `millis`, and undefined when `steps` were not enough.
 */
export async function runDueUntil(
  tx: Tx,
  work: readonly DueWork[],
  tenantId: string,
  until: number,
  correlationId: string,
  { steps = Number.POSITIVE_INFINITY, millis = Number.POSITIVE_INFINITY } = {},
): Promise<number | undefined> {
  const mustFinish = steps === Number.POSITIVE_INFINITY
  const begunAt = performance.now()
  let doneBy = Number.NEGATIVE_INFINITY
  const causeAt = (now: number): Cause => ({ tx, tenantId, now, actor: 'clock', correlationId })
  if (mustFinish) for (const one of work) await one.hold?.(causeAt(until))
  for (let step = 0; step < steps; step++) {
    const instants = await allDone(work.map((one) => one.findNext(tx, tenantId)))
    const next = Math.min(...instants.map((instant) => instant ?? Number.POSITIVE_INFINITY))
    if (next > until) return until
    if (next > doneBy && step > 0 && performance.now() - begunAt > millis) return next - 1
    for (const [place, one] of work.entries()) {
      const others = instants.filter((instant, at) => at !== place && instant !== undefined) as number[]
      const furthest = Math.min(until, next + (one.stride ?? 0), ...others)
      doneBy = Math.max(doneBy, furthest)
      // However much is due, requests have their turn in between.
      await nextTurn()
      await one.run(causeAt(Math.max(next, furthest)), mustFinish)
    }
  }
  return undefined
}

/**
 * Does what is due now for every tenant, a few instants of each in turn, so that none waits for another's backlog; one for
 * which something becomes due meanwhile takes part from the next round on. `nowOf` reads a tenant's clock. Once told to stop it
 * begins no turn any more: whoever comes next finds what is left. Throws when all the others are done what went wrong with some.
 */
export async function runDueNow(
  database: Database,
  work: readonly DueWork[],
  nowOf: (tenantId: string) => Promise<number>,
  stop?: AbortSignal,
): Promise<void> {
  const failures = new Map<string, unknown>()
  let isDone = false
  while (!isDone && !stop?.aborted) {
    isDone = true
    for (const tenantId of await listTenants(database, work)) {
      if (stop?.aborted) break
      if (failures.has(tenantId)) continue
      const turn = async () => {
        const until = await nowOf(tenantId)
        const steps = stepsOfTurn
        return until === (await database.transact((tx) => runDueUntil(tx, work, tenantId, until, 'clock', { steps })))
      }
      const hasTurned = await turn().catch((reason) => {
        failures.set(tenantId, reason)
        return true
      })
      if (!hasTurned) isDone = false
    }
  }
  if (failures.size > 0)
    throw new AggregateError(failures.values(), `what is due of ${[...failures.keys()].join(', ')} was not done`)
}

/** The tenants for which something is due by now. */
async function listTenants(database: Database, work: readonly DueWork[]): Promise<Set<string>> {
  const tenants = new Set<string>()
  for (const one of work) for (const id of await one.findTenants(database.read, Date.now())) tenants.add(id)
  return tenants
}
