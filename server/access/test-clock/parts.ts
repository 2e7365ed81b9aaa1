import type { Database, Tx } from '../../database/database.ts'
import { digestOf } from '../../kit/canonical-json.ts'
import type { RequestContext } from '../../kit/context.ts'
import type { InputOf } from '../../kit/contract.ts'
import { runDueUntil } from '../../kit/due-work.ts'
import { takeClock } from '../../kit/held-clock.ts'
import { findProgress, type KeyedRequest, keepProgress, readIdempotencyKey } from '../../kit/idempotency.ts'
import { Places } from '../../kit/places.ts'
import { lastSpan, partMillis, planAdvance, spanAfter } from './advancing.ts'
import { advanceTestClock } from './contract.ts'
import { moveOffset, readOffset } from './store.ts'

type Input = InputOf<typeof advanceTestClock>

/** From when a clock is moved, and to when it goes (milliseconds); and its offset as the part before left it. */
export interface Way {
  from: number
  to: number
  offset: number
}

/** A way that is shorter than two of these is gone at once. */
const firstSpan = 24 * 3_600_000

const turns = new Map<string, Places>()
/** Of all clocks' parts one at a time is in the line for SQLite's one writer: who writes beside them waits for no more than that. */
const linesForWriters = new WeakMap<Database, Places>()

/** Does one part of a way, or what is left of it, once it is its turn. */
export async function writePart<T>(database: Database, work: () => Promise<T>): Promise<T> {
  if (database.kind !== 'sqlite') return work()
  const places = linesForWriters.get(database) ?? new Places(1)
  linesForWriters.set(database, places)
  return places.use(work)
}

/** Advances of one tenant's clock follow each other, so that each tells of its own way. */
export async function inTurn<T>({ tenant }: RequestContext, work: () => Promise<T>): Promise<T> {
  const places = turns.get(tenant.id) ?? new Places(1)
  turns.set(tenant.id, places)
  return places.use(work)
}

/**
 * An advance with much to do holds up whoever writes, and there may be years of it: nearly all of the way is gone in parts, each
 * done and committed, and the rest is left to the caller. Answers the way; undefined where none was begun: for a short one, and for
 * one that will be refused. Under an Idempotency-Key the way that was begun is kept with it, and gone on with when it is asked again
 * after the server has stopped.
 */
export async function goMostOfTheWay(context: RequestContext, input: Input): Promise<Way | undefined> {
  const key = readIdempotencyKey(context.headers)
  const request =
    key === undefined ? undefined : { key, operation: advanceTestClock.name, fingerprint: digestOf(input) }
  let way: Way | undefined
  for (let span: number | undefined = firstSpan; span !== undefined; ) {
    const part: Part = await goOn(context, input, request, way, span)
    way = part.way
    span = part.nextSpan
  }
  return way
}

/**
 * From when and to when a clock goes that has this offset now, or which field of the input will not do, and why. Others may have
 * moved it since the part before, and advances add up.
 */
export function planFrom(begun: Way | undefined, input: Input, offset: number) {
  if (begun) return { from: begun.from, to: input.by == null ? begun.to : begun.to + offset - begun.offset }
  const from = Date.now() + offset
  const plan = planAdvance(from, input)
  return 'message' in plan ? plan : { from, to: plan.to }
}

interface Part {
  way: Way | undefined
  /** How far the next part may go; undefined where the rest is left. */
  nextSpan?: number
}

/** Goes a part of a way, or of one that is not begun yet. */
function goOn(
  context: RequestContext,
  input: Input,
  request: KeyedRequest | undefined,
  before: Way | undefined,
  span: number,
): Promise<Part> {
  const { database, tenant, dueWork, correlationId } = context
  return writePart(database, () => database.transact(goPart))

  async function goPart(tx: Tx): Promise<Part> {
    await takeClock(tx, tenant.id)
    const offset = await readOffset(tx, tenant.id)
    const begun = request === undefined ? before : await findProgress<Way>(tx, context, request)
    if (begun === 'ended') return { way: undefined }
    const plan = planFrom(begun, input, offset)
    const now = Date.now() + offset
    if ('message' in plan || plan.to - now < 2 * (begun ? lastSpan : firstSpan)) return { way: begun }
    const startedAt = performance.now()
    const until = Math.min(now + span, plan.to - lastSpan)
    const reached = await runDueUntil(tx, dueWork, tenant.id, until, correlationId, { millis: partMillis })
    const gone = Math.max(0, reached! - now)
    const way = { ...plan, offset: await moveOffset(tx, tenant.id, gone) }
    if (request) await keepProgress(tx, context, request, way)
    const taken = performance.now() - startedAt
    return { way, nextSpan: spanAfter({ span, gone, taken, isWhole: reached === until }) }
  }
}
