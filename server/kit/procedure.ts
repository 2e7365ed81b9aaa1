import { initTRPC, type TRPCError } from '@trpc/server'
import { digestOf } from './canonical-json.ts'
import { callerId, type ReadContext, type RequestContext, type WriteContext } from './context.ts'
import type { AnswerOf, Contract, InputOf } from './contract.ts'
import { isDatabaseAway } from './database-away.ts'
import { readIdempotencyKey, runOnce, type Settled } from './idempotency.ts'
import { inputReader } from './input.ts'
import { Problem } from './problem.ts'
import { requireAccess, tokenKindOf } from './scope-check.ts'

const t = initTRPC
  .context<RequestContext>()
  .meta<{ contract: Contract }>()
  .create({
    isDev: false,
    errorFormatter: ({ error, ctx }) => problemOf(error).toBody(`${ctx?.baseUrl ?? ''}/docs`, ctx?.instance ?? ''),
  })

export const { router, createCallerFactory } = t

/** Every procedure asks first whether its caller may; one that matters for security leaves word of what it did, once that is committed. */
const guarded = t.procedure.use(async ({ ctx, meta, next }) => {
  const { access, name, securityEvent } = meta!.contract
  const kind = tokenKindOf(access)
  const isOther = kind !== undefined && kind !== 'client' && ctx.caller.kind !== kind
  const caller = isOther && ctx.identify ? await ctx.identify(kind) : ctx.caller
  requireAccess(access, caller)
  if (isOther) return next({ ctx: { caller } })
  if (securityEvent === undefined) return next()
  return next().then((done) => {
    if (!done.ok) return done
    ctx.answer.deeds ??= []
    ctx.answer.deeds.push({ event: securityEvent, operation: name, subject: (done.data as { id: string }).id })
    return done
  })
})

/** A procedure that reads the committed state. */
export const query = <const C extends Contract>(
  contract: C,
  answer: (context: ReadContext, input: InputOf<C>) => Promise<AnswerOf<C>>,
) =>
  guarded
    .meta({ contract })
    .input(inputReader<InputOf<C>>(contract))
    .query(({ ctx, input }) =>
      isElsewhere(contract, ctx)
        ? (ctx.elsewhere(contract.name, input) as Promise<AnswerOf<C>>)
        : answer({ ...ctx, read: ctx.database.read }, input as InputOf<C>),
    )

/** A procedure that writes: all that it does, and the record of its Idempotency-Key, is one transaction. */
export const mutation = <const C extends Contract>(
  contract: C,
  change: (context: WriteContext, input: InputOf<C>) => Promise<AnswerOf<C>>,
) =>
  guarded
    .meta({ contract })
    .input(inputReader<InputOf<C>>(contract))
    .mutation(async ({ ctx, input }) => {
      const key = readIdempotencyKey(ctx.headers)
      const settled = await ctx.database.transact(async (tx): Promise<Settled<AnswerOf<C>>> => {
        const work = () => change({ ...ctx, tx, actor: actorOf(ctx) }, input as InputOf<C>)
        return key === undefined
          ? { answer: await work() }
          : runOnce(tx, ctx, { key, operation: contract.name, fingerprint: digestOf(input) }, work)
      })
      if ('refusal' in settled) throw settled.refusal
      return settled.answer
    })

/** A procedure that opens its transactions itself, because it reads or asks others before it writes. */
export const task = <const C extends Contract>(
  contract: C,
  run: (context: RequestContext, input: InputOf<C>) => Promise<AnswerOf<C>>,
) =>
  guarded
    .meta({ contract })
    .input(inputReader<InputOf<C>>(contract))
    .mutation(({ ctx, input }) =>
      isElsewhere(contract, ctx)
        ? (ctx.elsewhere(contract.name, input) as Promise<AnswerOf<C>>)
        : run(ctx, input as InputOf<C>),
    )

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
  if (isDatabaseAway(cause ?? error))
    return new Problem('server.unavailable', 'The database is away; try again shortly.', {
      headers: { 'retry-after': '2' },
    })
  if (code === 'NOT_FOUND') return new Problem('request.route_not_found', 'There is no such procedure.')
  if (code === 'METHOD_NOT_SUPPORTED')
    return new Problem('request.method_not_allowed', 'A query is a GET, a mutation a POST.')
  if (code === 'PARSE_ERROR') return new Problem('request.malformed', 'The input is not JSON.')
  if (code === 'UNSUPPORTED_MEDIA_TYPE')
    return new Problem('request.unsupported_media_type', 'The body must be application/json.')
  if (code === 'BAD_REQUEST') return new Problem('request.malformed', 'The call is not as tRPC has it.')
  return new Problem('server.internal', 'Something went wrong on our side; the correlation id finds it in the log.')
}
