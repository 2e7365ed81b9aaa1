import { digestOf } from '../../kit/canonical-json.ts'
import type { RequestContext } from '../../kit/context.ts'
import type { InputOf } from '../../kit/contract.ts'
import { runDueUntil } from '../../kit/due-work.ts'
import { findProgress, type KeyedRequest, keepProgress, readIdempotencyKey } from '../../kit/idempotency.ts'
import { Places } from '../../kit/places.ts'
import { planAdvance } from './advancing.ts'
import { advanceTestClock } from './contract.ts'
import { moveOffset, takeOffset } from './store.ts'

type Input = InputOf<typeof advanceTestClock>

/** From when a clock is moved, and to when it goes (milliseconds); and its offset as the part before left it. */
export interface Way {
  from: number
  to: number
  offset: number
}

/** About how long a part may take: who writes of the tenant, and on SQLite who writes at all, waits for it. */
const partMillis = 100
const firstSpan = 24 * 3_600_000
/** No schedule comes more often. */
const leastSpan = 60_000

const turns = new Map<string, Places>()

/** Advances of one tenant's clock follow each other, so that each tells of its own way. */
export async function inTurn<T>({ tenant }: RequestContext, work: () => Promise<T>): Promise<T> {
  const places = turns.get(tenant.id) ?? new Places(1)
  turns.set(tenant.id, places)
  return places.use(work)
}

/**
 * An advance with much to do holds up whoever writes, and there may be years of it: most of the way is gone in parts, each done
 * and committed, and the rest is left to the caller. Answers the way; undefined where none was begun: for a short one, and for one
 * that will be refused. Under an Idempotency-Key the way that was begun is kept with it, and gone on with when it is asked again
 * after the server has stopped.
 */
export async function goMostOfTheWay(context: RequestContext, input: Input): Promise<Way | undefined> {
  const key = readIdempotencyKey(context.headers)
  const request =
    key === undefined ? undefined : { key, operation: advanceTestClock.name, fingerprint: digestOf(input) }
  let way: Way | undefined
  let span = firstSpan
  for (;;) {
    const part = await goOn(context, input, request, way, span)
    way = part.way
    if (part.millis === undefined) return way
    span = part.millis > partMillis ? Math.max(leastSpan, Math.floor(span / 2)) : span * 2
  }
}

/** Where it goes now that the clock has this offset: others may have moved it since the part before, and advances add up. */
export const endOf = ({ to, offset }: Way, { by }: Input, offsetNow: number): number =>
  by == null ? to : to + offsetNow - offset

/** Goes a part of a way, or of one that is not begun yet; answers the way, and how long it took: undefined where the rest is left. */
function goOn(
  context: RequestContext,
  input: Input,
  request: KeyedRequest | undefined,
  before: Way | undefined,
  span: number,
): Promise<{ way: Way | undefined; millis?: number }> {
  const { database, tenant, dueWork, correlationId } = context
  return database.transact(async (tx) => {
    const offset = await takeOffset(tx, tenant.id)
    // Its own time, without that in which others had their turn.
    const startedAt = performance.now()
    const begun = request === undefined ? before : await findProgress<Way>(tx, context, request)
    if (begun === 'ended') return { way: undefined }
    const now = Date.now() + offset
    const plan = begun ? { to: endOf(begun, input, offset) } : planAdvance(now, input)
    // The rest is longer than it takes to come to it, so that the clock is not past its end by then.
    if ('message' in plan || plan.to - now < 2 * span) return { way: begun }
    await runDueUntil(tx, dueWork, tenant.id, now + span, correlationId)
    const way = { from: begun?.from ?? now, to: plan.to, offset: await moveOffset(tx, tenant.id, span) }
    if (request) await keepProgress(tx, context, request, way, now + span)
    return { way, millis: performance.now() - startedAt }
  })
}
