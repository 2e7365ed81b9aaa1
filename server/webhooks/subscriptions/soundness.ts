import { findUngrantable } from '../../access/clients/granting.ts'
import { registeredScopesOf } from '../../access/clients/registered-scopes.ts'
import type { RequestContext, WriteContext } from '../../kit/context.ts'
import { type FieldError, invalid, Problem } from '../../kit/problem.ts'
import { tellRefusedEndpoint } from '../../kit/refused-endpoints.ts'
import { explainCallbackScope } from './callback-scopes.ts'
import { explainEndpointUrl } from './endpoint-url.ts'
import { explainPattern } from './event-patterns.ts'
import { explainSecret } from './secrets.ts'

interface Given {
  url?: string | null | undefined
  eventTypes?: readonly string[] | null | undefined
  callbackScopes?: readonly string[] | null | undefined
  secret?: string | null | undefined
}

/** Refuses what a body says that no subscription can have, with every place of it; a URL that is not to be asked is told to the log. */
export function refuseUnsound({ outgoing, issuers, answer }: RequestContext, given: Given): void {
  const surroundings = { allowsPrivate: outgoing?.allowsPrivate ?? false, ownOrigins: issuers }
  const ofUrl = explain('/url', given.url, (url) => explainEndpointUrl(url, surroundings))
  for (const { message } of ofUrl) tellRefusedEndpoint(answer, message)
  const errors: FieldError[] = [
    ...ofUrl,
    ...explain('/secret', given.secret, explainSecret),
    ...explainEach('/eventTypes', given.eventTypes, explainPattern),
    ...explainEach('/callbackScopes', given.callbackScopes, explainCallbackScope),
  ]
  if (errors.length > 0) throw invalid(errors)
}

type Explain = (text: string) => string | undefined

function explain(pointer: string, text: string | null | undefined, why: Explain): FieldError[] {
  const message = text == null ? undefined : why(text)
  return message === undefined ? [] : [{ pointer, message }]
}

const explainEach = (pointer: string, texts: readonly string[] | null | undefined, why: Explain): FieldError[] =>
  (texts ?? []).flatMap((text, index) => explain(`${pointer}/${index}`, text, why))

/** Refuses callback scopes that the caller cannot hand out: its client is not registered for them, and the subscription has them not already. */
export async function refuseUngrantable(
  context: WriteContext,
  scopes: readonly string[],
  already: readonly string[],
): Promise<void> {
  if (findUngrantable(scopes, [], already) === undefined) return
  const missing = findUngrantable(scopes, await scopesToGrant(context), already)
  if (missing === undefined) return
  throw new Problem(
    'auth.insufficient_scope',
    `The client is not registered for ${missing}, so no callback token can hold it.`,
    { headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${missing}"` } },
  )
}

/** A client hands out what it is registered for, whatever its token asked for; a callback token what it holds. */
async function scopesToGrant({ tx, tenant, caller }: WriteContext): Promise<readonly string[]> {
  if (caller.kind === 'client') return registeredScopesOf(tx, tenant.id, caller.clientId)
  return caller.kind === 'callback' ? caller.scopes : []
}
