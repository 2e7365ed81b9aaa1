import { expect, test } from 'vitest'
import { refuseOffline } from '../../server/activations/offline/refusing.ts'
import { invalid, Problem } from '../../server/kit/problem.ts'

const thrownFor = (error: unknown): unknown => {
  try {
    refuseOffline(error)
  } catch (thrown) {
    return thrown
  }
}

test('a refusal of activation is one of the offline issue, and names its reason', () => {
  expect(thrownFor(new Problem('license.seats_exhausted', 'Every seat is taken.'))).toMatchObject({
    ...{ codeName: 'offline.activation_refused', status: 400, message: 'Every seat is taken.' },
    extensions: { reason: 'license.seats_exhausted' },
  })
})

test.each([
  ['a field that is not acceptable', invalid([{ pointer: '/body/fingerprint', message: 'is missing' }])],
  ['a database that is away', new Problem('server.unavailable', 'Ask again.')],
  ['a failure of the server', new Error('the connection was reset')],
])('%s is told as it is', (_what, error) => expect(thrownFor(error)).toBe(error))
