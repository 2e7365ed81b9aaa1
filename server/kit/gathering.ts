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
 * its own, and answers an outcome for each in their order. While one batch is done the next one gathers. When a batch fails,
 * each of its operations is done again alone, so that only the one at fault fails; all of them do when the database is away.
 */
export function gathering<Operation, Outcome>(work: (operations: readonly Operation[]) => Promise<Outcome[]>) {
  const queue: Waiting<Operation, Outcome>[] = []
  let isWorking = false

  const doNext = async () => {
    await doTogether(queue.splice(0, mostAtOnce))
    isWorking = queue.length > 0
    if (isWorking) setImmediate(doNext)
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
      if (isWorking) return
      isWorking = true
      setImmediate(doNext)
    })
}
