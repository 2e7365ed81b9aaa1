import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findUngrantable, findUnknownScopes } from '../../server/access/clients/granting.ts'
import { coversScope, intersectScopes } from '../../server/access/scopes/intersection.ts'
import { isKnownScope, knownScopes } from '../../server/access/scopes/known-scopes.ts'
import { opens } from '../../server/kit/scope-check.ts'
import { scopeResources, scopeVerbs } from '../../server/vocabulary/scopes.ts'

const everyOperation = Object.entries(scopeResources).flatMap(([audience, resources]) =>
  Object.keys(resources).flatMap((resource) => scopeVerbs.map((verb) => `${audience}.${resource}:${verb}`)),
)
const opened = (held: readonly string[]) =>
  everyOperation.filter((operation) => held.some((scope) => opens(scope, operation)))

describe('what is requested and registered, pattern by pattern', () => {
  test.each([
    [['admin.*:*'], ['admin.products:read'], ['admin.products:read']],
    [['admin.products:read'], ['admin.*:*'], ['admin.products:read']],
    [['admin.*:read'], ['admin.products:*'], ['admin.products:read']],
    [['admin.*:write'], ['admin.tags:create', 'admin.tags:delete'], ['admin.tags:create']],
    [['admin.tags:update'], ['admin.tags:write'], ['admin.tags:update']],
    [['admin.tags:write'], ['admin.tags:*'], ['admin.tags:write']],
    [['admin.tags:read'], ['admin.tags:write'], []],
    [['admin.*:*'], ['operational.*:*'], []],
    [['admin.tags:read', 'admin.products:read'], ['admin.*:read'], ['admin.tags:read', 'admin.products:read']],
    [['admin.tags:read', 'admin.*:read'], ['admin.*:*'], ['admin.*:read']],
    [['admin.tags:write', 'admin.tags:create', 'admin.tags:update'], ['admin.*:*'], ['admin.tags:write']],
    [['admin.*:create', 'admin.*:update', 'admin.tags:write'], ['admin.*:*'], ['admin.*:create', 'admin.*:update']],
    [['admin.nonsense', 'ADMIN.TAGS:READ', '*'], ['admin.*:*'], []],
    [[], ['admin.*:*'], []],
  ])('%j of %j is %j', (requested, registered, granted) => {
    expect(intersectScopes(requested, registered)).toEqual(granted)
  })
})

const scopes = fc.uniqueArray(fc.constantFrom(...knownScopes.map(({ scope }) => scope)), { maxLength: 8 })

test('an intersection opens exactly what both lists open', () => {
  fc.assert(
    fc.property(scopes, scopes, (requested, registered) => {
      const byBoth = opened(registered).filter((operation) => opened(requested).includes(operation))
      expect(opened(intersectScopes(requested, registered))).toEqual(byBoth)
    }),
  )
})

test('no scope of an intersection can be left out', () => {
  fc.assert(
    fc.property(scopes, scopes, (requested, registered) => {
      const granted = intersectScopes(requested, registered)
      for (const scope of granted)
        expect(
          coversScope(
            granted.filter((other) => other !== scope),
            scope,
          ),
        ).toBe(false)
    }),
  )
})

test('a scope is covered when all that it opens is', () => {
  fc.assert(
    fc.property(scopes, fc.constantFrom(...knownScopes.map(({ scope }) => scope)), (held, scope) => {
      if (!coversScope(held, scope)) return
      for (const operation of opened([scope])) expect(opened(held)).toContain(operation)
    }),
  )
})

test.each(['admin.products:*read', 'ADMIN.PRODUCTS:READ', 'admin.products:read ', 'a:*:*', '*', 'admin.gadgets:read'])(
  '%j is no scope',
  (text) => expect(isKnownScope(text)).toBe(false),
)

test.each(['admin.*:read', 'admin.products:*', 'admin.*:*', 'webhooks.deliveries:read', 'operational.*:write'])(
  '%j is a scope',
  (text) => expect(isKnownScope(text)).toBe(true),
)

test('unknown scopes are told by their places', () => {
  expect(findUnknownScopes(['admin.tags:read', 'admin.gadgets:read', 'admin.tags:purge'])).toEqual([1, 2])
})

describe('a client grants only what it holds', () => {
  test.each([
    [['admin.tags:read'], ['admin.tags:*'], [], undefined],
    [['admin.tags:read', 'admin.*:read'], ['admin.tags:*'], [], 'admin.*:read'],
    [['admin.tags:write'], ['admin.tags:create'], [], 'admin.tags:write'],
    [['admin.tags:write'], ['admin.tags:create', 'admin.tags:update'], [], undefined],
    [['admin.tags:read'], [], ['admin.*:read'], undefined],
  ])('%j by one that holds %j, to one that has %j', (wanted, caller, already, missing) => {
    expect(findUngrantable(wanted, caller, already)).toBe(missing)
  })
})
