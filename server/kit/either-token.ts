import type { Caller, RequestContext } from './context.ts'
import type { Access } from './contract.ts'
import { Problem } from './problem.ts'
import { requireAccess, tokenKindOf } from './scope-check.ts'

type Token = Exclude<Access, 'anyone'>

type Either = readonly [Token, Token]

/** Who is calling, by whichever of the two tokens was sent that an operation takes; throws 401 for another. */
export const identifyEither = async ({ identify, caller }: RequestContext, [first, second]: Either): Promise<Caller> =>
  identify ? identify(tokenKindOf(first)!).catch(orElse(() => identify(tokenKindOf(second)!))) : caller

/** Refuses a caller that may not with either token: 401 without one of them, 403 naming the scope without the scope. */
export const requireEither = ([first, second]: Either, caller: Caller): void =>
  requireAccess(caller.kind === tokenKindOf(first) ? first : second, caller)

/** Another way, where there is a token of another kind. */
const orElse = (otherWay: () => Promise<Caller>) => (error: unknown) => {
  if (error instanceof Problem && error.codeName === 'auth.unauthenticated') return otherWay()
  throw error
}
