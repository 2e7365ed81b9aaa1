import type { Database } from '../database/database.ts'
import { isDatabaseAway } from './database-away.ts'

/** The most operations that are decided in one transaction. */
const mostAtOnce = 256

interface Waiting<Operation, Outcome> {
  operation: Operation
  resolve: (outcome: Outcome) => void
  reject: (reason: unknown) => void
}

/**
 * Gathers operations that arrive together and has them done as one: `work` does all of them or none, in a transaction of
 * its own, and answers an outcome for each in their order. While as many batches are done as there are `lanes` the next one
 * gathers. When a batch fails, each of its operations is done again alone, so that only the one at fault fails; all of them
 * do when the database is away, or has ended the batch for others (a deadlock): one by one they would hold up the lane for long.
 */
export function gathering<Operation, Outcome>(
  lanes: number,
  work: (operations: readonly Operation[]) => Promise<Outcome[]>,
) {
  const queue: Waiting<Operation, Outcome>[] = []
  let busyLanes = 0
  let isNextDue = false

  const scheduleNext = () => {
    if (isNextDue || busyLanes === lanes || queue.length === 0) return
    isNextDue = true
    setImmediate(doNext)
  }

  const doNext = async () => {
    isNextDue = false
    busyLanes++
    const batch = queue.splice(0, mostAtOnce)
    scheduleNext()
    await doTogether(batch)
    busyLanes--
    scheduleNext()
  }

  const doTogether = async (batch: Waiting<Operation, Outcome>[]): Promise<void> => {
    try {
      const outcomes = await work(batch.map(({ operation }) => operation))
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index]!)
    } catch (reason) {
      if (batch.length === 1 || isDatabaseAway(reason)) for (const { reject } of batch) reject(reason)
      else for (const one of batch) await doTogether([one])
    }
  }

  return (operation: Operation): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      queue.push({ operation, resolve, reject })
      scheduleNext()
    })
}

/** The same for each database by itself, over as many lanes as its kind has. */
export function gatheringFor<Operation, Outcome>(
  lanesOf: Record<Database['kind'], number>,
  work: (database: Database, operations: readonly Operation[]) => Promise<Outcome[]>,
) {
  const gatherings = new WeakMap<Database, ReturnType<typeof gathering<Operation, Outcome>>>()
  return (database: Database, operation: Operation): Promise<Outcome> => {
    let gathered = gatherings.get(database)
    if (!gathered) {
      gathered = gathering(lanesOf[database.kind], (operations) => work(database, operations))
      gatherings.set(database, gathered)
    }
    return gathered(operation)
  }
}
