import { findUngrantable } from '../../access/clients/granting.ts'
import { registeredScopesOf } from '../../access/clients/registered-scopes.ts'
import type { RequestContext, WriteContext } from '../../kit/context.ts'
import { type FieldError, invalid, Problem } from '../../kit/problem.ts'
import { explainCallbackScope } from './callback-scopes.ts'
import { explainEndpointUrl } from './endpoint-url.ts'
import { explainPattern } from './event-patterns.ts'
import { explainSecret } from './secrets.ts'

interface Given {
  url?: string | null
  eventTypes?: readonly string[] | null
  callbackScopes?: readonly string[] | null
  secret?: string | null
}

/** Refuses what a body says that no subscription can have, with every place of it. */
export function refuseUnsound({ outgoing, issuers }: RequestContext, given: Given): void {
  const surroundings = { allowsPrivate: outgoing?.allowsPrivate ?? false, ownOrigins: issuers }
  const errors: FieldError[] = [
    ...explain('/url', given.url, (url) => explainEndpointUrl(url, surroundings)),
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

/** Refuses callback scopes that the caller cannot hand out: its client is registered for none of the kind, and the endpoint has them not already. */
export async function refuseUngrantable(
  { tx, tenant, caller }: WriteContext,
  scopes: readonly string[],
  already: readonly string[],
): Promise<void> {
  if (findUngrantable(scopes, [], already) === undefined) return
  const held = caller.kind === 'client' ? await registeredScopesOf(tx, tenant.id, caller.clientId) : []
  const missing = findUngrantable(scopes, held, already)
  if (missing === undefined) return
  throw new Problem(
    'auth.insufficient_scope',
    `The client is not registered for ${missing}, so no callback token can hold it.`,
    { headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${missing}"` } },
  )
}
