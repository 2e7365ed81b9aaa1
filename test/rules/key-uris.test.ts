import { expect, test } from 'vitest'
import { explainKeyUri, findIssuerErrors } from '../../server/access/settings/trusted-issuers.ts'

test.each([
  'https://accounts.example.com/.well-known/jwks.json',
  'https://accounts.example.com:8443/keys?tenant=1',
  'https://8.8.8.8/keys',
  'https://[2001:4860:4860::8888]/keys',
])('keys are fetched from %s', (uri) => {
  expect(explainKeyUri(uri, false)).toBeUndefined()
  expect(explainKeyUri(uri, true)).toBeUndefined()
})

test.each([
  'http://accounts.example.com/keys',
  'ftp://accounts.example.com/keys',
  'file:///etc/passwd',
  'data:application/json,{}',
  'accounts.example.com/keys',
  '/keys',
  'https://user:secret@accounts.example.com/keys',
  'https://10.0.0.7/keys',
  'https://192.168.1.1/keys',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/keys',
  'https://0.0.0.0/keys',
  'https://[fe80::1]/keys',
  'https://[fd00::1]/keys',
  'https://[::ffff:10.0.0.7]/keys',
  'https://[64:ff9b::a00:7]/keys',
])('keys are fetched from %s nowhere', (uri) => {
  expect(explainKeyUri(uri, false)).toBeDefined()
  expect(explainKeyUri(uri, true)).toBeDefined()
})

test.each([
  'https://localhost/keys',
  'https://LOCALHOST./keys',
  'http://127.0.0.1:8080/keys',
  'http://127.1/keys',
  'http://0x7f000001/keys',
  'http://[::1]:8080/keys',
  'http://[::ffff:127.0.0.1]/keys',
])('keys are fetched from %s only where the service itself is at a loopback address', (uri) => {
  expect(explainKeyUri(uri, false)).toBe('must not lead to a loopback address')
  expect(explainKeyUri(uri, true)).toBeUndefined()
})

test('an issuer is trusted once for each audience', () => {
  const one = { issuer: 'https://a.example', audience: 'app', jwksUri: 'https://a.example/keys' }
  expect(
    findIssuerErrors([one, { ...one, audience: 'other' }, { ...one, issuer: 'https://b.example' }], false),
  ).toEqual([])
  expect(findIssuerErrors([one, { ...one, jwksUri: 'https://a.example/more' }], false)).toMatchObject([
    { pointer: '/trustedIssuers/1' },
  ])
})
