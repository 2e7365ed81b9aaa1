import { initTRPC, type TRPCError } from '@trpc/server'
import type { TObject } from 'typebox'
import { admit } from './admission.ts'
import { audited, registerOperation, registerReading } from './audit.ts'
import { digestOf } from './canonical-json.ts'
import { callerId, type ReadContext, type RequestContext, type WriteContext } from './context.ts'
import { type AnswerOf, type Contract, type InputOf, isKeyed } from './contract.ts'
import { databaseAway, isDatabaseAway } from './database-away.ts'
import { holdClocks, takeClock } from './held-clock.ts'
import { readIdempotencyKey, runOnce, type Settled } from './idempotency.ts'
import { inputReader, type PlainInput, type SplitInput } from './input.ts'
import { fromMarked } from './marked-json.ts'
import { Problem, recordNotFound, trpcShapeOf } from './problem.ts'
import { tokenKindOf } from './scope-check.ts'

/** Runs an operation for a caller: who may, what the input is, the work. The answer, or a problem thrown. */
export type Run = (context: RequestContext, input: SplitInput | PlainInput) => Promise<unknown>

const t = initTRPC
  .context<RequestContext>()
  .meta<{ contract: Contract; run: Run }>()
  .create({
    isDev: false,
    errorFormatter: ({ error, ctx }) =>
      trpcShapeOf(problemOf(error).toBody(`${ctx?.baseUrl ?? ''}/docs`, ctx?.instance ?? '')),
  })

export const { router } = t

type Work<C extends Contract> = (context: RequestContext, input: InputOf<C>) => Promise<AnswerOf<C>>

/**
 * A procedure's contract and how it is run: it asks first whether its caller may, then reads the input. One that matters
 * for security leaves word of what it did, once that is committed. REST runs it directly: through tRPC's own layers of
 * middleware the call would cost as much as the work.
 */
function guarded<C extends Contract>(contract: C, work: Work<C>) {
  const { name, securityEvent, ofSandbox } = contract
  const readInput = inputReader<InputOf<C>>(contract)
  const read = (context: RequestContext, input: SplitInput | PlainInput): InputOf<C> | Promise<never> => {
    try {
      return readInput(input)
    } catch (refusal) {
      if (!isKeyed(contract)) throw refusal
      return refuseOnce(contract, context, input, refusal as Problem)
    }
  }
  const run = async (given: RequestContext, input: SplitInput | PlainInput): Promise<AnswerOf<C>> => {
    // Calls of a batch share what is known of them, and each may be by another token.
    const context = { ...given }
    await admit(contract, context)
    if (ofSandbox !== undefined && context.tenant.kind !== 'Sandbox') throw recordNotFound(ofSandbox)
    const answer = await work(context, await read(context, input))
    if (securityEvent !== undefined) {
      context.answer.deeds ??= []
      context.answer.deeds.push({ event: securityEvent, operation: name, subject: (answer as { id: string }).id })
    }
    return answer
  }
  const procedure = t.procedure.meta({ contract, run }).input((raw) => raw as InputOf<C>)
  return { procedure, run: ({ ctx, input }: { ctx: RequestContext; input: unknown }) => run(ctx, fromMarked(input)) }
}

/**
 * A procedure that reads the committed state; what the back office is shown together is of one moment. What is to be done before
 * it is read is done by `before`: within that moment nothing is written, nor read over another connection.
 */
export const query = <const C extends Contract>(
  contract: C,
  answer: (context: ReadContext, input: InputOf<C>) => Promise<AnswerOf<C>>,
  before?: (context: RequestContext, input: InputOf<C>) => Promise<void>,
) => {
  registerReading(contract, (context, input) => answer(context, input as InputOf<C>))
  const isOne = isPutTogether(contract)
  const { procedure, run } = guarded(contract, async (context, input) => {
    if (isElsewhere(contract, context)) return context.elsewhere(contract.name, input) as Promise<AnswerOf<C>>
    if (before) await before(context, input)
    const from = readOf(contract, context)
    const answerBy = (read: ReadContext['read']) => answer({ ...context, read }, input)
    return isOne ? context.database.readAsOne(from, answerBy) : answerBy(from)
  })
  return procedure.query(run)
}

/** A list may go through all that a tenant has, whatever it answers. */
const readOf = ({ filterable, readsMuch }: Contract, { database }: RequestContext) =>
  filterable || readsMuch ? database.readLong : database.read

/**
 * Whether what is answered is put together from several statements, between which others may write: what the back
 * office is shown with a list of anything. A heavy operation sees to it itself.
 */
function isPutTogether({ access, answer, lane }: Contract): boolean {
  const fields = Object.values((answer as TObject | undefined)?.properties ?? {}) as { type?: unknown }[]
  return lane !== 'heavy' && tokenKindOf(access) === 'client' && fields.some(({ type }) => type === 'array')
}

/**
 * A procedure that writes: all that it does, who did it, and the record of its Idempotency-Key, is one transaction. What the caller
 * must be allowed beside the operation itself is asked by `before`, also of who would be replayed what another token was answered.
 */
export const mutation = <const C extends Contract>(
  contract: C,
  change: (context: WriteContext, input: InputOf<C>) => Promise<AnswerOf<C>>,
  before?: (context: RequestContext, input: InputOf<C>) => Promise<void>,
) => {
  registerOperation(contract)
  const { procedure, run } = guarded(contract, async (context, input) => {
    await before?.(context, input)
    return commitOnce(contract, context, input, change)
  })
  return procedure.mutation(run)
}

/**
 * Runs a change, and records who made it and its Idempotency-Key, in one transaction; a refusal is thrown once that is committed.
 * One that was begun under the key is given how far it has come.
 */
export async function commitOnce<C extends Contract>(
  contract: C,
  context: RequestContext,
  input: InputOf<C>,
  change: (context: WriteContext, input: InputOf<C>, progress?: unknown) => Promise<AnswerOf<C>>,
): Promise<AnswerOf<C>> {
  const key = readIdempotencyKey(context.headers)
  const settled = await context.database.transact(async (tx): Promise<Settled<AnswerOf<C>>> => {
    // What only a sandbox has is its clock.
    if (contract.ofSandbox === undefined) await holdClocks(tx, [context])
    else await takeClock(tx, context.tenant.id)
    await context.keepCaller?.(tx, context.caller)
    const writing = { ...context, tx, actor: actorOf(context) }
    const work = (progress?: unknown) => audited(contract, writing, input, () => change(writing, input, progress))
    return key === undefined
      ? { answer: await work() }
      : runOnce(tx, context, { key, operation: contract.name, fingerprint: digestOf(input) }, work)
  })
  if ('refusal' in settled) throw settled.refusal
  return settled.answer
}

/**
 * Throws the refusal of an input: under an Idempotency-Key it is recorded like any other, but for its words. They quote what was
 * sent, by anyone and at any length, and the same input is always refused with the same.
 */
async function refuseOnce(
  { name }: Contract,
  context: RequestContext,
  input: unknown,
  refusal: Problem,
): Promise<never> {
  const key = readIdempotencyKey(context.headers)
  if (key === undefined) throw refusal
  const { codeName, message, status, extensions } = refusal
  const request = { key, operation: name, fingerprint: digestOf(input) }
  const wordless = () => Promise.reject(new Problem(codeName, '', { status }))
  const settled = await context.database.transact((tx) => runOnce(tx, context, request, wordless))
  const headers = { ...refusal.headers, ...('refusal' in settled && settled.refusal.headers) }
  throw new Problem(codeName, message, { status, extensions, headers })
}

/** A procedure that opens its transactions itself, because it reads or asks others before it writes. */
export const task = <const C extends Contract>(contract: C, work: Work<C>) => {
  const { procedure, run } = guarded(contract, (context, input) =>
    isElsewhere(contract, context)
      ? (context.elsewhere(contract.name, input) as Promise<AnswerOf<C>>)
      : work(context, input),
  )
  return procedure.mutation(run)
}

const isElsewhere = (
  { lane }: Contract,
  context: RequestContext,
): context is RequestContext & Required<Pick<RequestContext, 'elsewhere'>> =>
  lane === 'heavy' && context.elsewhere !== undefined

/** The name under which a caller's changes are recorded, such as `client:ID`. */
export const actorOf = ({ caller }: RequestContext) =>
  caller.kind === 'anyone' ? caller.kind : `${caller.kind}:${callerId(caller)}`

/** The problem behind any error: the refusal itself, what tRPC says of a bad call, the database being away, or an internal error that tells nothing. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { cause, code } = error as TRPCError
  if (cause instanceof Problem) return cause
  if (isDatabaseAway(cause ?? error)) return databaseAway(cause ?? error)
  if (code === 'NOT_FOUND') return new Problem('request.route_not_found', 'There is no such procedure.')
  if (code === 'METHOD_NOT_SUPPORTED')
    return new Problem('request.method_not_allowed', 'A query is a GET, a mutation a POST.')
  if (code === 'PARSE_ERROR') return new Problem('request.malformed', 'The input is not JSON.')
  if (code === 'UNSUPPORTED_MEDIA_TYPE')
    return new Problem('request.unsupported_media_type', 'The body must be application/json.')
  if (code === 'BAD_REQUEST') return new Problem('request.malformed', 'The call is not as tRPC has it.')
  return new Problem('server.internal', 'Something went wrong on our side; the correlation id finds it in the log.')
}
