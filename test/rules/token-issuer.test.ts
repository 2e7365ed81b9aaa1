import { expect, test } from 'vitest'
import { isIssuer } from '../../server/access/tokens/issuer.ts'

const here = ['http://127.0.0.1:7070/t/acme', 'http://licences.acme.example:7070']
const told = ['https://licences.example/t/acme', 'https://licences.acme.example']

test.each([
  ['its own', here, 'http://127.0.0.1:7070/t/acme', true],
  ['that of another port of this machine', here, 'http://127.0.0.1:41234/t/acme', true],
  ['by another name of this machine', here, 'http://localhost:41234/t/acme', true],
  ['of IPv6', here, 'http://[::1]/t/acme', true],
  ['of another port under a host name', here, 'http://licences.acme.example:9000', true],
  ['of another tenant', here, 'http://127.0.0.1:7070/t/other', false],
  ['of another host', here, 'http://licences.example:7070/t/acme', false],
  ['of another protocol', here, 'https://127.0.0.1:7070/t/acme', false],
  ['with more behind it', here, 'http://127.0.0.1:7070/t/acme?x', false],
  ['no URL', here, 'acme', false],
  ['its public URL', told, 'https://licences.example/t/acme', true],
  ['its host name', told, 'https://licences.acme.example', true],
  ['another port of its public URL', told, 'https://licences.example:8443/t/acme', false],
  ['this machine, where a public URL was told', told, 'http://127.0.0.1:7070/t/acme', false],
])('an issuer is %s', (_, baseUrls, issuer, expected) => {
  expect(isIssuer(baseUrls, issuer)).toBe(expected)
})
