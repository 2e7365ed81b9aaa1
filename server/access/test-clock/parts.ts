import type { RequestContext } from '../../kit/context.ts'
import type { InputOf } from '../../kit/contract.ts'
import { runDueUntil } from '../../kit/due-work.ts'
import { isKeyInUse } from '../../kit/idempotency.ts'
import { Places } from '../../kit/places.ts'
import { planAdvance } from './advancing.ts'
import { advanceTestClock } from './contract.ts'
import { moveOffset } from './store.ts'

/** From when a clock was moved, and to when it goes (milliseconds). */
export interface Way {
  from: number
  to: number
}

/** About how long a part may take: nobody else writes to a SQLite file meanwhile. */
const partMillis = 100
const firstSpan = 24 * 3_600_000
/** No schedule comes more often. */
const leastSpan = 60_000

const turns = new Map<string, Places>()

/** Advances of one tenant's clock follow each other, so that they add up also where each goes in parts. */
export async function inTurn<T>({ tenant }: RequestContext, work: () => Promise<T>): Promise<T> {
  const places = turns.get(tenant.id) ?? new Places(1)
  turns.set(tenant.id, places)
  return places.use(work)
}

/**
 * On SQLite an advance with much to do holds up whoever writes, and there may be years of it: most of the way is gone in parts,
 * each done and committed, and the rest, with the record of the request, is left to the caller. Answers the way; undefined
 * where none was begun, such as for a short one, for a request that will be refused, and on PostgreSQL, where nobody waits.
 */
export async function goMostOfTheWay(
  context: RequestContext,
  input: InputOf<typeof advanceTestClock>,
): Promise<Way | undefined> {
  const { database, tenant, dueWork, correlationId } = context
  if (database.kind === 'postgres' || (await isKeyInUse(database.read, context, advanceTestClock.name)))
    return undefined
  const from = await database.transact(async (tx) => {
    await context.keepCaller?.(tx, context.caller)
    return Date.now() + (await moveOffset(tx, tenant.id, 0))
  })
  const plan = planAdvance(from, input)
  if ('message' in plan) return undefined
  const goOn = (span: number) =>
    database.transact(async (tx) => {
      const now = Date.now() + (await moveOffset(tx, tenant.id, 0))
      // The rest is longer than it takes to come to it, so that the clock is not past its end by then.
      if (plan.to - now < 2 * span) return false
      await runDueUntil(tx, dueWork, tenant.id, now + span, correlationId)
      await moveOffset(tx, tenant.id, span)
      return true
    })
  let isBegun = false
  let span = firstSpan
  for (;;) {
    const startedAt = performance.now()
    if (!(await goOn(span))) return isBegun ? { from, to: plan.to } : undefined
    isBegun = true
    span = performance.now() - startedAt > partMillis ? Math.max(leastSpan, Math.floor(span / 2)) : span * 2
  }
}
