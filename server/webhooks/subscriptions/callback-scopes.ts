import { isKnownScope } from '../../access/scopes/known-scopes.ts'
import { readScope } from '../../kit/scope-check.ts'

const verbs = ['read', 'create', 'update', 'write']

/** What is wrong with a scope for callback tokens, or nothing: they hold one resource's each, and never delete. */
export function explainCallbackScope(scope: string): string | undefined {
  if (!isKnownScope(scope)) return `there is no scope ${JSON.stringify(scope)}`
  const { resource, verb } = readScope(scope)!
  if (resource === '*' || verb === '*') return 'a callback token holds no wildcards: name the resource and the verb'
  return verbs.includes(verb) ? undefined : 'a callback token deletes nothing: read, create, update or write'
}
