import { expect, test } from 'vitest'
import type { Caller } from '../../server/kit/context.ts'
import { loggedCaller } from '../../server/kit/rest/logged-caller.ts'

test.each([
  [{ kind: 'client', clientId: 'c1', name: 'Shop', scopes: [] }, { client: 'c1' }],
  [{ kind: 'callback', subscriptionId: 's1', scopes: [] }, { subscription: 's1' }],
  [{ kind: 'user', userId: 'u1', email: 'u@example.com', level: 'SignedIn' }, {}],
  [{ kind: 'anyone' }, {}],
  [undefined, {}],
] as [Caller | undefined, object][])('%j is logged as %j', (caller, named) => {
  expect(loggedCaller(caller)).toEqual(named)
})
