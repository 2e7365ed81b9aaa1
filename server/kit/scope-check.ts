import type { Caller, SessionCaller, TokenKind } from './context.ts'
import type { Access } from './contract.ts'
import { Problem } from './problem.ts'

interface ScopePattern {
  audience: string
  resource: string
  verb: string
}

const grammar = /^([a-z]+)\.(\*|[a-z-]+):(\*|read|create|update|delete|write)$/

/** A scope name in its three parts, or undefined when it is none: `audience.resource:verb`, `*` for any resource or verb. */
export function readScope(text: string): ScopePattern | undefined {
  const match = grammar.exec(text)
  return match ? { audience: match[1]!, resource: match[2]!, verb: match[3]! } : undefined
}

const opensVerb = (held: string, asked: string) =>
  held === '*' || held === asked || (held === 'write' && (asked === 'create' || asked === 'update'))

/** Whether a held scope opens an operation's. */
export function opens(held: string, asked: string): boolean {
  const [pattern, wanted] = [readScope(held), readScope(asked)]
  return (
    pattern !== undefined &&
    wanted !== undefined &&
    pattern.audience === wanted.audience &&
    (pattern.resource === '*' || pattern.resource === wanted.resource) &&
    opensVerb(pattern.verb, wanted.verb)
  )
}

/** The kind of token that an operation asks for; none where anyone may call. Who calls back has one with scopes, as a client has. */
export const tokenKindOf = (access: Access): TokenKind | undefined =>
  access === 'anyone' ? undefined : access === 'session' || access === 'user' ? access : 'client'

/** Refuses a caller that may not: 401 without a token, 403 naming the scope without the scope. */
export function requireAccess(access: Access, caller: Caller): void {
  if (access === 'anyone') return
  if (caller.kind === 'anyone') throw new Problem('auth.unauthenticated', 'This operation needs a bearer token.')
  if ((caller.kind === 'callback' ? 'client' : caller.kind) !== tokenKindOf(access))
    throw new Problem('auth.unauthenticated', 'The token is not of the kind that this operation asks for.', {
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    })
  if ('scopes' in caller && !demandsOf(access).every((demand) => caller.scopes.some((scope) => opens(scope, demand))))
    throw new Problem('auth.insufficient_scope', `The token lacks the scope ${access}.`, {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${access}"` },
    })
}

/** `write` is create and update: both are asked. */
const demandsOf = (access: string) =>
  access.endsWith(':write') ? [access.replace(/write$/, 'create'), access.replace(/write$/, 'update')] : [access]

/** The session whose token it is; of another one's path it opens nothing, not even whether there is one (auth.insufficient_scope). */
export function requireOwnSession(caller: Caller, sessionId: string): SessionCaller {
  const own = caller as SessionCaller
  if (sessionId.toLowerCase() === own.sessionId) return own
  throw new Problem('auth.insufficient_scope', 'The token is of another session.')
}
