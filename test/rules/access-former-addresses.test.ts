import { expect, test } from 'vitest'
import { verifiedAddresses } from '../../server/access/users/former-addresses.ts'

const made = (email: string, emailVerified: boolean) => ({ before: null, after: { id: '1', email, emailVerified } })
const changed = (before: Record<string, unknown>, after: Record<string, unknown>) => ({ before, after })
const moved = changed({ '/email': 'a@x' }, { '/email': 'b@x' })
const erased = { before: null, after: null }

test.each([
  ['a verified one', [made('a@x', true)], ['a@x']],
  ['none that was not verified', [made('a@x', false), moved], []],
  ['both of a user who stayed verified', [made('a@x', true), moved], ['a@x', 'b@x']],
  [
    'the first alone where the second is to be verified yet',
    [
      made('a@x', true),
      changed({ '/email': 'a@x', '/emailVerified': true }, { '/email': 'b@x', '/emailVerified': false }),
    ],
    ['a@x'],
  ],
  [
    'the second alone where the first was mistyped',
    [made('a@x', false), moved, changed({ '/emailVerified': false }, { '/emailVerified': true })],
    ['b@x'],
  ],
  ['those of a user who had confirmed a registration', [moved], ['a@x', 'b@x']],
  ['none where nothing is told any more', [erased], []],
])('the addresses that were known to be theirs are %s', (_words, entries, addresses) => {
  expect(verifiedAddresses(entries)).toEqual(addresses)
})
