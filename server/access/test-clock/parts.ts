import type { RequestContext } from '../../kit/context.ts'
import type { InputOf } from '../../kit/contract.ts'
import { runDueUntil } from '../../kit/due-work.ts'
import { readIdempotencyKey } from '../../kit/idempotency.ts'
import { Places } from '../../kit/places.ts'
import { tenantNow } from '../tenants/tenant-clock.ts'
import { planAdvance } from './advancing.ts'
import type { advanceTestClock } from './contract.ts'
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
 * each done and committed, and the rest is left to the caller. Answers the way; undefined where none was begun: for a short one, one
 * that will be refused, one with an Idempotency-Key, which is done with the record of its answer or not at all, and on
 * PostgreSQL, where nobody waits.
 */
export async function goMostOfTheWay(
  { database, tenant, dueWork, correlationId, headers }: RequestContext,
  input: InputOf<typeof advanceTestClock>,
): Promise<Way | undefined> {
  if (database.kind === 'postgres' || readIdempotencyKey(headers) !== undefined) return undefined
  const from = await tenantNow(database.read, tenant)
  const plan = planAdvance(from, input)
  if ('message' in plan || plan.to - from < 2 * firstSpan) return undefined
  const goOn = (span: number) =>
    database.transact(async (tx) => {
      // Its own time, without that in which others had their turn.
      const startedAt = performance.now()
      const now = Date.now() + (await moveOffset(tx, tenant.id, 0))
      // The rest is longer than it takes to come to it, so that the clock is not past its end by then.
      if (plan.to - now < 2 * span) return undefined
      await runDueUntil(tx, dueWork, tenant.id, now + span, correlationId)
      await moveOffset(tx, tenant.id, span)
      return performance.now() - startedAt
    })
  let span = firstSpan
  for (let parts = 0; ; parts++) {
    const taken = await goOn(span)
    if (taken === undefined) return parts > 0 ? { from, to: plan.to } : undefined
    span = taken > partMillis ? Math.max(leastSpan, Math.floor(span / 2)) : span * 2
  }
}
