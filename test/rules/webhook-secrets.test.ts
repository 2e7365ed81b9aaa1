import { expect, test } from 'vitest'
import {
  explainSecret,
  rotateSecrets,
  type Secret,
  signingSecrets,
} from '../../server/webhooks/subscriptions/secrets.ts'

const hour = 3_600_000

test.each([
  'sixteen-printabl',
  'sixteen printable',
  'x'.repeat(256),
  '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'whsec_AAAAAAAAAA==',
])('%s may be a secret', (secret) => expect(explainSecret(secret)).toBeUndefined())

test.each([
  ['x'.repeat(15), '16 to 256'],
  ['x'.repeat(257), '16 to 256'],
  ['sixteen-printablé', 'printable ASCII'],
  ['sixteen-printable\n', 'printable ASCII'],
  ['whsec_AAAAAAAAAA', 'base64, padded'],
  ['whsec_AAAAAAAAAB==', 'base64, padded'],
  ['whsec_not-base64-at-all', 'base64, padded'],
])('%j may be none', (secret, why) => expect(explainSecret(secret)).toContain(why))

test('during the overlap both sign, the newest first; when it is over only the new one', () => {
  const rotated = rotateSecrets([{ secret: 'a', until: null }], 'b', 0, 24 * hour)
  expect(signingSecrets(rotated, 0)).toEqual(['b', 'a'])
  expect(signingSecrets(rotated, 24 * hour - 1)).toEqual(['b', 'a'])
  expect(signingSecrets(rotated, 24 * hour)).toEqual(['b'])
})

test('without an overlap the previous one ends at once', () => {
  expect(rotateSecrets([{ secret: 'a', until: null }], 'b', 5, 5)).toEqual([{ secret: 'b', until: null }])
})

test('an earlier one signs no longer than the one after it, and no secret signs twice', () => {
  const twice = rotateSecrets(rotateSecrets([{ secret: 'a', until: null }], 'b', 0, 24 * hour), 'c', hour, 2 * hour)
  expect(twice).toEqual([
    { secret: 'c', until: null },
    { secret: 'b', until: 2 * hour },
    { secret: 'a', until: 2 * hour },
  ])
  expect(rotateSecrets(twice, 'd', hour, hour)).toEqual([{ secret: 'd', until: null }])
  expect(rotateSecrets(twice, 'd', hour, 24 * hour).map(({ until }) => until)).toEqual([
    null,
    24 * hour,
    2 * hour,
    2 * hour,
  ])
  expect(signingSecrets(rotateSecrets(twice, 'a', hour, 3 * hour), hour)).toEqual(['a', 'c', 'b'])
})

test('of many rotations within an overlap the ten newest sign', () => {
  let secrets: Secret[] = [{ secret: '0', until: null }]
  for (let n = 1; n <= 12; n++) secrets = rotateSecrets(secrets, String(n), n, 24 * hour)
  expect(signingSecrets(secrets, 12)).toEqual(['12', '11', '10', '9', '8', '7', '6', '5', '4', '3'])
})
