import type { Database } from '../../database/database.ts'
import type { RequestContext, SessionCaller } from '../../kit/context.ts'
import { gathering } from '../../kit/gathering.ts'
import { readIdempotencyKey } from '../../kit/idempotency.ts'
import { actorOf } from '../../kit/procedure.ts'
import { decideTogether } from '../../metering/consumption/deciding-together.ts'
import type { Answer, Operation, Outcome } from '../../metering/consumption/operation.ts'
import { performAlone } from '../sessions/settling.ts'
import { refusalsOf } from './standing.ts'

interface Asked {
  tenantId: string
  operation: Operation
}

/** SQLite has one writer; on PostgreSQL one batch's round trips are the next one's time. */
const lanesOf = { sqlite: 1, postgres: 3 }

const gatherings = new WeakMap<Database, ReturnType<typeof gathering<Asked, Outcome>>>()

function gatheringOf(database: Database) {
  let gathered = gatherings.get(database)
  if (!gathered) {
    gathered = gathering(lanesOf[database.kind], (batch) => decideAll(database, batch))
    gatherings.set(database, gathered)
  }
  return gathered
}

/** Asks first which sessions may use anything, then has the rest decided in one transaction. */
async function decideAll(database: Database, batch: readonly Asked[]): Promise<Outcome[]> {
  const outcomes = new Map<Asked, Outcome>()
  const byTenant = Map.groupBy(batch, ({ tenantId }) => tenantId)
  for (const [tenantId, some] of byTenant) {
    const now = Math.max(...some.map(({ operation }) => operation.by.now))
    const ids = [...new Set(some.map(({ operation }) => operation.sessionId))]
    const refusals = await refusalsOf(database.read, tenantId, ids, now)
    for (const asked of some) {
      const refusal = refusals.get(asked.operation.sessionId)
      if (refusal) outcomes.set(asked, { refusal })
    }
  }
  const tenants = [...byTenant].map(([tenantId, some]) => ({
    tenantId,
    some: some.filter((one) => !outcomes.has(one)),
  }))
  const left = tenants.filter(({ some }) => some.length > 0).toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1))
  if (left.length > 0)
    await database.transact(async (tx) => {
      for (const { tenantId, some } of left) {
        const decided = await decideTogether(
          tx,
          tenantId,
          some.map(({ operation }) => operation),
        )
        for (const [index, asked] of some.entries()) outcomes.set(asked, decided[index]!)
      }
    })
  return batch.map((asked) => outcomes.get(asked)!)
}

type WithoutCaller<T> = T extends unknown ? Omit<T, 'by' | 'sessionId' | 'entitlementId'> : never

/**
 * Does what the caller's session asks, and answers when it is durable: together with others that arrive at the same time,
 * or, with an Idempotency-Key, alone with the record of its answer. Throws the problem of a refusal.
 */
export async function perform<A extends Answer>(
  context: RequestContext,
  name: string,
  parameters: unknown,
  asked: WithoutCaller<Operation>,
): Promise<A> {
  const { sessionId, entitlementId } = context.caller as SessionCaller
  const by = { actor: actorOf(context), correlationId: context.correlationId, now: context.now }
  const operation: Operation = { ...asked, by, sessionId, entitlementId }
  const tenantId = context.tenant.id
  if (readIdempotencyKey(context.headers) === undefined)
    return answerOf(await gatheringOf(context.database)({ tenantId, operation }))
  return performAlone(context, { name, parameters, isKept: false }, async (tx) => {
    const refusal = (await refusalsOf(tx, tenantId, [sessionId], context.now)).get(sessionId)
    if (refusal) throw refusal
    return answerOf<A>((await decideTogether(tx, tenantId, [operation]))[0]!)
  })
}

function answerOf<A extends Answer>(outcome: Outcome): A {
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.answer as A
}
