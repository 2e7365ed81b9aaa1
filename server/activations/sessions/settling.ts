import type { Database, Readable, Tx } from '../../database/database.ts'
import { digestOf } from '../../kit/canonical-json.ts'
import type { RequestContext } from '../../kit/context.ts'
import { gatheringFor } from '../../kit/gathering.ts'
import { holdClocks } from '../../kit/held-clock.ts'
import { readIdempotencyKey, runOnce, type Settled } from '../../kit/idempotency.ts'
import { Places } from '../../kit/places.ts'
import type { Problem } from '../../kit/problem.ts'
import { type Done, holdSessions, type Operation, type Outcome, Overtaken, settle } from './batch.ts'

/** How often an operation is done again because others were there first. */
export const mostAttempts = 5

/** SQLite has one writer; on PostgreSQL one batch's round trips are the next one's time. */
const settleTogether = gatheringFor({ sqlite: 1, postgres: 3 }, (_database, operations: readonly Operation[]) =>
  transactAgain(
    operations.map(({ context }) => context),
    (tx) => settle(tx, operations),
  ),
)

/**
 * A transaction of these requests that is begun again when it was overtaken, with what it was overtaken on in its hands;
 * `mayWait` when it keeps the catalog, which an import may have.
 */
export async function transactAgain<T>(
  contexts: readonly RequestContext[],
  work: (tx: Tx) => Promise<T>,
  mayWait = false,
): Promise<T> {
  const transact = transactOf(contexts[0]!.database, mayWait)
  let overtaken: Overtaken | undefined
  for (let attempt = 1; ; attempt++)
    try {
      return await transact(async (tx) => {
        await holdClocks(tx, contexts)
        if (overtaken) await holdSessions(tx, overtaken)
        return work(tx)
      })
    } catch (error) {
      if (!(error instanceof Overtaken) || attempt === mostAttempts) throw error
      overtaken = error
    }
}

const transactOf = ({ transact, transactAtRunTime }: Database, mayWait = false) =>
  mayWait ? transact : transactAtRunTime

/** A request as its Idempotency-Key knows it. */
export interface Named {
  /** The contract's name. */
  name: string
  /** The request's parameters, by which a replay is told from another request. */
  parameters: unknown
  /** The contracts' names of those that share a key, where the answer is replayed for ever. */
  keptWith?: readonly string[]
  /** Set where it keeps the catalog, and may have to wait for it. */
  mayWait?: boolean
}

/** How an operation is asked for and answered. */
interface Deed<Answer> extends Named {
  /** Finds out what is asked; with an Idempotency-Key only when nothing was answered under it yet. */
  prepare: (read: Readable) => Operation['asked'] | Promise<Operation['asked']>
  answer: (done: Done) => Answer | Promise<Answer>
  /** Hears of a refusal before it is recorded under the key, and may throw another in its place. */
  refused?: (refusal: Problem) => void
}

/**
 * Does an operation, and answers it when it is durable: together with others that arrive at the same time, or, with an
 * Idempotency-Key, alone with the record of its answer. Throws the problem of a refusal.
 */
export async function perform<Answer>(context: RequestContext, deed: Deed<Answer>): Promise<Answer> {
  const prepared = async (read: Readable): Promise<Operation> => ({ context, asked: await deed.prepare(read) })
  const answer = (outcome: Outcome) => {
    if ('refusal' in outcome) deed.refused?.(outcome.refusal)
    return deed.answer(doneOf(outcome))
  }
  if (readIdempotencyKey(context.headers) === undefined)
    return answer(await settleTogether(context.database, await prepared(context.database.read)))
  return performAlone(context, deed, async (tx) => answer((await settle(tx, [await prepared(tx)]))[0]!))
}

/** However many ask for a transaction of their own, those that are decided together find a connection, or the writer, beside so few. */
const mostAlone = 4
const aloneBy = new WeakMap<Database['transact'], Places>()

function placesFor(transact: Database['transact']): Places {
  const places = aloneBy.get(transact) ?? new Places(mostAlone)
  aloneBy.set(transact, places)
  return places
}

/** Does a request's work in a transaction of its own, once for its Idempotency-Key if it has one. */
export async function performAlone<Answer>(
  context: RequestContext,
  { name, parameters, keptWith, mayWait }: Named,
  work: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  const key = readIdempotencyKey(context.headers)
  const once = async (tx: Tx): Promise<Settled<Answer>> => {
    if (key === undefined) return { answer: await work(tx) }
    const request = { key, operation: name, fingerprint: digestOf(parameters), keptWith }
    return runOnce(tx, context, request, () => work(tx))
  }
  const { database } = context
  const settled = await placesFor(transactOf(database, mayWait)).use(() => transactAgain([context], once, mayWait))
  if ('refusal' in settled) throw settled.refusal
  return settled.answer
}

/** What came of an operation; throws the problem of a refusal. */
export function doneOf(outcome: Outcome): Done {
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.done
}
