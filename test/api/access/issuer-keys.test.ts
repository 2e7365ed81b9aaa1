import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll, expect, type Mock, test, vi } from 'vitest'
import { keysAt, RefusedKeyUri } from '../../../server/access/user-tokens/issuer-keys.ts'

let lookup: Mock
beforeAll(() => {
  lookup = vi.spyOn(dns, 'lookup') as unknown as Mock
  syncBuiltinESMExports()
})
afterAll(() => {
  lookup.mockRestore()
  syncBuiltinESMExports()
})

/** What a name leads to from now on. */
const leadTo = (...addresses: string[]) =>
  lookup.mockImplementation((_name: string, _options: object, callback: (...found: unknown[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    ),
  )

test.each([
  ['10.0.0.7'],
  ['127.0.0.1'],
  ['169.254.169.254'],
  ['::1'],
  ['::ffff:192.168.0.1'],
  ['fd00::1'],
  ['8.8.8.8', '10.0.0.7'],
])('keys are not fetched of a name that leads to %s', async (...addresses) => {
  leadTo(...addresses)
  const keys = keysAt(`https://keys.example/${addresses.join()}`, false)
  await expect(keys.reload()).rejects.toThrow(
    new RefusedKeyUri('the URI of the keys leads to an address that is not public'),
  )
  await expect(keys.reload()).rejects.toThrow('a moment ago')
  expect(lookup).toHaveBeenCalledOnce()
  lookup.mockClear()
})
