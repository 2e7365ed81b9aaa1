import { describe, expect, test } from 'vitest'
import { parseExactly } from '../../server/kit/decimal.ts'
import { withoutSecrets } from '../../server/kit/withheld-secrets.ts'

describe('what opens a door is left out, however deep it lies', () => {
  test.each([
    'secret',
    'clientSecret',
    'client_secret',
    'password',
    'token',
    'access_token',
    'refreshToken',
    'confirmationToken',
    'jwt',
    'privateKey',
    'activationCode',
    'activationCodes',
    'licenseKey',
    'signedPayload',
    'signature',
  ])('%s', (name) => {
    const document = { id: '1', [name]: 'x', inner: [{ [name]: ['x'], kept: null }], deep: { deeper: { [name]: {} } } }
    expect(withoutSecrets('anything', document)).toEqual({ id: '1', inner: [{ kept: null }], deep: { deeper: {} } })
  })
})

test.each([
  ['entitlements.creditGrants', {}],
  ['creditGrants', {}],
  ['entitlements.activationCodes', {}],
  ['addOns', { code: 'EXTRA' }],
  ['notcreditGrants', { code: 'EXTRA' }],
])('the code of a record of %s', (kind, kept) => {
  expect(withoutSecrets(kind, { code: 'EXTRA' })).toEqual(kept)
})

test.each([
  ['https://hooks.example/in', 'https://hooks.example/in'],
  ['https://hooks.example/in?key=KEY&v=2&&KEY#KEY', 'https://hooks.example/in?key=…&v=…&…&…'],
  ['https://hooks.example/in?', 'https://hooks.example/in?…'],
  ['https://hooks.example/in?a=b?c=d=e', 'https://hooks.example/in?a=…'],
])('of the URL %s of a webhook subscription stays %s', (url, kept) => {
  expect(withoutSecrets('subscriptions', { url })).toEqual({ url: kept })
  expect(withoutSecrets('integrations', { url })).toEqual({ url: kept })
  expect(withoutSecrets('campaigns', { url })).toEqual({ url })
})

test('what only speaks of secrets stays', () => {
  const document = {
    token_type: 'Bearer',
    previousSecretValidUntil: '2030-01-01T00:00:00Z',
    includeInLicenseToken: true,
    requiredDeviceIdentificationSignatureLength: 3,
    featureCode: 'EXPORT',
    publicKey: { kty: 'EC' },
  }
  expect(withoutSecrets('entitlements', document)).toEqual(document)
})

test('numbers keep their digits', () => {
  const text = '{"amount":[12345678901234567890.5]}'
  expect(JSON.stringify(withoutSecrets('x', parseExactly(text)))).toBe(text)
})
