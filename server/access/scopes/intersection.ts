import { opens, readScope } from '../../kit/scope-check.ts'
import type { ScopeVerb } from '../../vocabulary/scopes.ts'

const verbsOf: Record<string, readonly ScopeVerb[]> = {
  read: ['read'],
  create: ['create'],
  update: ['update'],
  delete: ['delete'],
  write: ['create', 'update'],
  '*': ['read', 'create', 'update', 'delete'],
}

/**
 * The scopes that open exactly what both lists open, worked out pattern by pattern (`admin.*:*` with
 * `admin.products:read` is `admin.products:read`); in the order requested, and none that the others make superfluous.
 */
export function intersectScopes(requested: readonly string[], registered: readonly string[]): string[] {
  const both = new Set<string>()
  for (const asked of requested)
    for (const held of registered) {
      const common = intersectTwo(asked, held)
      if (common !== undefined) both.add(common)
    }
  return dropSuperfluous([...both])
}

/** Whether everything that a scope opens is opened by the held ones. */
export function coversScope(held: readonly string[], scope: string): boolean {
  const pattern = readScope(scope)
  return (
    pattern !== undefined &&
    verbsOf[pattern.verb]!.every((verb) =>
      held.some((candidate) => opens(candidate, `${pattern.audience}.${pattern.resource}:${verb}`)),
    )
  )
}

function intersectTwo(asked: string, held: string): string | undefined {
  const [one, other] = [readScope(asked), readScope(held)]
  if (!one || !other || one.audience !== other.audience) return undefined
  if (one.resource !== '*' && other.resource !== '*' && one.resource !== other.resource) return undefined
  const resource = one.resource === '*' ? other.resource : one.resource
  const verb = intersectVerbs(one.verb, other.verb)
  return verb && `${one.audience}.${resource}:${verb}`
}

/** Of two verbs that have operations in common, one is always part of the other. */
function intersectVerbs(one: string, other: string): string | undefined {
  if (verbsOf[one]!.every((verb) => verbsOf[other]!.includes(verb))) return one
  if (verbsOf[other]!.every((verb) => verbsOf[one]!.includes(verb))) return other
  return undefined
}

/** First those that one wider scope covers, then those that several cover together. */
function dropSuperfluous(scopes: string[]): string[] {
  const widest = scopes.filter((scope) => !scopes.some((other) => other !== scope && coversScope([other], scope)))
  return widest.reduce((kept, scope) => {
    const others = kept.filter((other) => other !== scope)
    return coversScope(others, scope) ? others : kept
  }, widest)
}
