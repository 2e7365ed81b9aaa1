import type { Caller, RequestContext } from './context.ts'
import type { Access, Contract } from './contract.ts'
import { Problem } from './problem.ts'
import { requireAccess, tokenKindOf } from './scope-check.ts'

type Either = readonly [Exclude<Access, 'anyone'>, Exclude<Access, 'anyone'>]

/**
 * Settles who is calling, by a token that the operation takes, and whether they may; throws 401 without such a token, and 403
 * naming the scope without the scope. The context has the caller by then, as the log of a refusal names it.
 */
export async function admit({ access, eitherToken }: Contract, context: RequestContext): Promise<void> {
  if (eitherToken) {
    context.caller = await identifyEither(context, eitherToken)
    return requireEither(eitherToken, context.caller)
  }
  const kind = tokenKindOf(access)
  if (kind !== undefined && context.caller.kind !== kind && context.identify)
    context.caller = await context.identify(kind)
  requireAccess(access, context.caller)
}

/** Who is calling, by whichever of the two tokens was sent; throws 401 for another. */
const identifyEither = async ({ identify, caller }: RequestContext, [first, second]: Either): Promise<Caller> =>
  identify ? identify(tokenKindOf(first)!).catch(orElse(() => identify(tokenKindOf(second)!))) : caller

const requireEither = ([first, second]: Either, caller: Caller): void =>
  requireAccess(caller.kind === tokenKindOf(first) ? first : second, caller)

/** Another way, where there is a token of another kind. */
const orElse = (otherWay: () => Promise<Caller>) => (error: unknown) => {
  if (error instanceof Problem && error.codeName === 'auth.unauthenticated') return otherWay()
  throw error
}
