import type { Database } from '../../database/database.ts'
import { openLateMeters, standingTo } from '../../entitlements/plans/late-meters.ts'
import type { RequestContext, SessionCaller } from '../../kit/context.ts'
import { gatheringFor } from '../../kit/gathering.ts'
import { readIdempotencyKey } from '../../kit/idempotency.ts'
import { actorOf } from '../../kit/procedure.ts'
import { decideTogether } from '../../metering/consumption/deciding-together.ts'
import type { Answer, Operation, Outcome } from '../../metering/consumption/operation.ts'
import { performAlone, transactAgain } from '../sessions/settling.ts'
import { hearOf } from './hearing.ts'
import { standingsOf } from './standing.ts'

interface Asked {
  context: RequestContext
  operation: Operation
}

/** SQLite has one writer; on PostgreSQL one batch's round trips are the next one's time. */
const decideGathered = gatheringFor({ sqlite: 1, postgres: 2 }, decideAll)

/** Giving a hold back uses nothing. */
const isUse = ({ operation }: Asked) => operation.deed !== 'release'

/** Asks first which sessions may use anything, then has the rest decided in one transaction, that hears of those it must. */
async function decideAll(database: Database, batch: readonly Asked[]): Promise<Outcome[]> {
  const outcomes = new Map<Asked, Outcome>()
  const toBeHeard: RequestContext[] = []
  const byTenant = Map.groupBy(batch, ({ context }) => context.tenant.id)
  for (const [tenantId, some] of byTenant) {
    const now = Math.max(...some.map(({ operation }) => operation.by.now))
    const callers = some.map(({ operation }) => operation)
    const standings = await standingsOf(database.read, tenantId, callers, now)
    for (const asked of some) {
      const { refusal, isToBeHeardOf } = standings.get(asked.operation.sessionId)!
      if (refusal) outcomes.set(asked, { refusal })
      else if (isUse(asked) && isToBeHeardOf()) toBeHeard.push(asked.context)
    }
  }
  const tenants = [...byTenant].map(([tenantId, some]) => ({
    tenantId,
    some: some.filter((one) => !outcomes.has(one)),
  }))
  const left = tenants.filter(({ some }) => some.length > 0).toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1))
  if (left.length > 0) {
    const contexts = left.flatMap(({ some }) => some.map(({ context }) => context))
    await transactAgain(contexts, async (tx) => {
      const refusals = await hearOf(tx, toBeHeard)
      for (const { tenantId, some } of left) {
        const operations = some.map(atItsTime)
        const decided = await decideTogether(tx, tenantId, operations, refusals)
        for (const [index, asked] of some.entries()) outcomes.set(asked, decided[index]!)
      }
    })
  }
  return batch.map((asked) => outcomes.get(asked)!)
}

/** The operation as of when its turn came. */
const atItsTime = ({ context, operation }: Asked): Operation => ({
  ...operation,
  by: { ...operation.by, now: context.now },
})

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
  const one = { context, operation }
  const tenantId = context.tenant.id
  const metrics = 'metric' in operation ? [operation.metric] : []
  if (readIdempotencyKey(context.headers) === undefined) {
    const decide = () => decideGathered(context.database, one)
    const outcome = await decide()
    const isMissed = 'refusal' in outcome && outcome.refusal.codeName === 'usage.metric_not_found'
    return answerOf(isMissed && (await openWhatIsLate(context, metrics)) ? await decide() : outcome)
  }
  return performAlone(context, { name, parameters }, async (tx) => {
    const { refusal, isToBeHeardOf } = (await standingsOf(tx, tenantId, [operation], context.now)).get(sessionId)!
    if (refusal) throw refusal
    const refusals = await hearOf(tx, isUse(one) && isToBeHeardOf() ? [context] : [])
    // After the seats and sessions, as everybody locks them.
    await openLateMeters({ tx, tenantId, ...by, now: context.now }, entitlementId, metrics)
    return answerOf<A>((await decideTogether(tx, tenantId, [atItsTime(one)], refusals))[0]!)
  })
}

/** Opens the meters of those metrics that the session's products have got since they were attached; answers whether it is worth looking again. */
export async function openWhatIsLate(context: RequestContext, metrics: readonly string[]): Promise<boolean> {
  const { database, tenant, now, correlationId } = context
  const { entitlementId } = context.caller as SessionCaller
  const cause = { tenantId: tenant.id, now, actor: actorOf(context), correlationId }
  const standing = await standingTo(database.read, cause, entitlementId, metrics)
  if (standing === 'late')
    await transactAgain([context], (tx) => openLateMeters({ tx, ...cause, now: context.now }, entitlementId, metrics))
  return standing !== 'unknown'
}

function answerOf<A extends Answer>(outcome: Outcome): A {
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.answer as A
}
