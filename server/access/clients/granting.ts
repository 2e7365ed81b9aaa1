import { coversScope } from '../scopes/intersection.ts'
import { isKnownScope } from '../scopes/known-scopes.ts'

/** The places of the scopes that do not exist. */
export const findUnknownScopes = (scopes: readonly string[]): number[] =>
  scopes.flatMap((scope, index) => (isKnownScope(scope) ? [] : [index]))

/** The first scope that a caller cannot give to a client: neither the caller holds it nor the client has it already. */
export const findUngrantable = (
  wanted: readonly string[],
  caller: readonly string[],
  already: readonly string[] = [],
): string | undefined => wanted.find((scope) => !coversScope(caller, scope) && !coversScope(already, scope))
