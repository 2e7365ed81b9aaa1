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
  ['http://accounts.example.com/keys', 'must be an https URL'],
  ['ftp://accounts.example.com/keys', 'must be an https URL'],
  ['file:///etc/passwd', 'must be an https URL'],
  ['data:application/json,{}', 'must be an https URL'],
  ['accounts.example.com/keys', 'must be an https URL'],
  ['/keys', 'must be an https URL'],
  ['https://user:secret@accounts.example.com/keys', 'must hold no user name or password'],
  ['https://10.0.0.7/keys', 'must lead to a public address'],
  ['https://192.168.1.1/keys', 'must lead to a public address'],
  ['https://169.254.169.254/latest/meta-data', 'must lead to a public address'],
  ['https://100.64.0.1/keys', 'must lead to a public address'],
  ['https://0.0.0.0/keys', 'must lead to a public address'],
  ['https://[fe80::1]/keys', 'must lead to a public address'],
  ['https://[fd00::1]/keys', 'must lead to a public address'],
  ['https://[::ffff:10.0.0.7]/keys', 'must lead to a public address'],
  ['https://[64:ff9b::a00:7]/keys', 'must lead to a public address'],
])('keys are fetched from %s nowhere: the URL %s', (uri, why) => {
  expect(explainKeyUri(uri, false)).toBe(why)
  expect(explainKeyUri(uri, true)).toBe(why)
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
    findIssuerErrors([one, { ...one, audience: 'other' }, { ...one, issuer: 'https://b.example' }], [], false),
  ).toEqual([])
  expect(findIssuerErrors([one, { ...one, jwksUri: 'https://a.example/more' }], [], false)).toMatchObject([
    { pointer: '/trustedIssuers/1' },
  ])
  expect(findIssuerErrors([one], ['https://own.example', one.issuer], false)).toMatchObject([
    { pointer: '/trustedIssuers/0/issuer' },
  ])
})
