import { intersectScopes } from '../scopes/intersection.ts'
import { isKnownScope } from '../scopes/known-scopes.ts'
import { TokenRefused } from './refusal.ts'

const longest = 8192
/** scope-token of RFC 6749 §3.3, tokens one blank apart. */
const grammar = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/

/** The scopes that a token gets: what was asked for, as far as the client is registered for it; none for none. Throws TokenRefused. */
export function grantScopes(requested: string | undefined, registered: readonly string[]): string[] {
  if (requested === undefined) return []
  if (requested.length > longest)
    throw new TokenRefused('invalid_scope', `The scope is longer than ${longest} characters.`)
  if (!grammar.test(requested))
    throw new TokenRefused('invalid_scope', 'The scope must be scope names with one blank between them.')
  const asked = [...new Set(requested.split(' '))].filter(isKnownScope)
  const granted = intersectScopes(asked, registered)
  if (granted.length === 0)
    throw new TokenRefused('invalid_scope', 'The client is not registered for any of the requested scopes.')
  return granted
}
