import { lookup } from 'node:dns'
import { expect, test, vi } from 'vitest'
import { keysAt } from '../../../server/access/user-tokens/issuer-keys.ts'

vi.mock('node:dns')

/** What a name leads to from now on. */
const leadTo = (...addresses: string[]) =>
  vi.mocked(lookup).mockImplementation(((_name: string, _options: object, callback: (...found: unknown[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as never)

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
  await expect(keys.reload()).rejects.toThrow('not public')
  await expect(keys.reload()).rejects.toThrow('a moment ago')
  expect(lookup).toHaveBeenCalledOnce()
  vi.mocked(lookup).mockClear()
})
