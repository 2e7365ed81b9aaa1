import type { Caller, RequestContext } from './context.ts'
import type { Access } from './contract.ts'
import { Problem } from './problem.ts'
import { requireAccess, tokenKindOf } from './scope-check.ts'

type Token = Exclude<Access, 'anyone'>

/** Who is calling, by whichever of the two tokens was sent that an operation takes; throws 401 without either, 403 without the scope. */
export async function identifyEither(
  { identify, caller }: RequestContext,
  [first, second]: readonly [Token, Token],
): Promise<Caller> {
  const found = identify
    ? await identify(tokenKindOf(first)!).catch(orElse(() => identify(tokenKindOf(second)!)))
    : caller
  requireAccess(found.kind === tokenKindOf(first) ? first : second, found)
  return found
}

/** Another way, where there is a token of another kind. */
const orElse = (otherWay: () => Promise<Caller>) => (error: unknown) => {
  if (error instanceof Problem && error.codeName === 'auth.unauthenticated') return otherWay()
  throw error
}
