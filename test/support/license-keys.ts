import { createHash, createSign, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import jsonwebtoken from 'jsonwebtoken'

/** When the licences of these tests were issued. */
export const issuedAt = Date.parse('2026-11-21T12:00:00Z')
const seconds = issuedAt / 1000
const day = 86_400

/** Keys as a tenant has them, made for one run: one that signs tokens, one that signs offline licences. */
export function licenseKeys(kids = { token: 'token-1', offline: 'offline-1' }) {
  const token = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const offline = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = (key: KeyObject, alg: string, kid: string) => ({ ...key.export({ format: 'jwk' }), alg, kid, use: 'sig' })
  const keys = [jwk(token.publicKey, 'ES256', kids.token), jwk(offline.publicKey, 'RS256', kids.offline)]
  return { kids, token, offline, jwks: { keys } }
}
export type LicenseKeys = ReturnType<typeof licenseKeys>

/** The fingerprint of the device that they are for. */
export const device = 'device-1'

export const claims = {
  iss: 'http://127.0.0.1:7070/t/acme',
  aud: 'http://127.0.0.1:7070/t/acme',
  sub: '01a1fe79-f7b7-75dc-87da-62de5eb021bd',
  jti: '01a1fe79-f7b7-75dc-87da-62de5eb021be',
  iat: seconds,
  nbf: seconds,
  exp: seconds + 10 * day,
  lease_exp: seconds + 7 * day,
  grace_exp: seconds + 10 * day,
  entitlement_id: '01a1fe79-f7b7-75dc-87da-62de5eb021bf',
  tenant_id: '018f0000-0000-7000-8000-000000000001',
  fingerprint: createHash('sha256').update(device).digest('hex'),
  trial: false,
  products: [{ id: '01a1fe79-f7b7-75dc-87da-62de5eb021c0', code: 'ACME-CAD', version: '2.0' }],
  features: [
    { code: 'EXPORT_STEP', type: 'Boolean', value: 'true', enabled: true, expires: null },
    { code: 'SEATS', type: 'Integer', value: '5', enabled: false, expires: null },
  ],
  plan: 'Pro',
  application_scope: null,
}

/** A license token signed by a library that is not ours. */
export const licenseToken = ({ token, kids }: LicenseKeys, changed: object = {}, header: object = {}) =>
  jsonwebtoken.sign({ ...claims, ...changed }, token.privateKey, {
    algorithm: 'ES256',
    header: { alg: 'ES256', typ: 'license+jwt', kid: kids.token, ...header },
  })

/** An offline response as the interface has it. */
export function offlineResponse({ offline, kids }: LicenseKeys, changed: object = {}) {
  const more = { schemaVersion: 1, nonce: 'A'.repeat(43), requestedAt: '2026-11-21T11:00:00Z', kid: kids.offline }
  const payload = Buffer.from(JSON.stringify({ ...claims, issuedAt: '2026-11-21T12:00:00Z', ...more, ...changed }))
  const signature = createSign('RSA-SHA256').update(payload).sign(offline.privateKey, 'base64')
  return { signedPayload: payload.toString('base64url'), signature }
}

/** A compact token of any header and payload, signed as ES256 is. */
export function signedToken({ token }: LicenseKeys, header: unknown, payload: unknown): string {
  const text = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signature = sign('sha256', Buffer.from(text), { key: token.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}
