import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { isObject, strictJsonIn } from '../json-objects.ts'
import { Problem } from '../problems.ts'

/** What is signed with: ES256 (RFC 7518 §3.4) license tokens, RS256 (§3.3, the same as RSA-SHA256 with PKCS #1 v1.5) offline licences. */
export type Algorithm = 'ES256' | 'RS256'

export interface PublicKey {
  algorithm: Algorithm
  /** Its name in a JWK; a PEM has none. */
  kid: string | null
  key: KeyObject
}

const smallestRsaBits = 2048

/**
 * The keys of a file: PEM (public keys and certificates, one or several), a JWK or a JWKS (RFC 7517). Keys that sign
 * something else are left out. Raises cli.input for a private key, for none at all, and for what is no key.
 */
export function readPublicKeys(text: string, name: string): PublicKey[] {
  const trimmed = text.trim()
  const keys = trimmed.startsWith('{') ? keysOfJson(trimmed, name) : keysOfPem(trimmed, name)
  if (keys.length > 0) return keys
  throw new Problem(
    'cli.input',
    `${name} holds no public key of a licence (EC P-256, or RSA of ${smallestRsaBits} bits or more).`,
    {
      hint: 'a PEM, a JWK, or the JWKS of the tenant: licet api GET /.well-known/jwks.json > jwks.json',
    },
  )
}

function keysOfJson(text: string, name: string): PublicKey[] {
  const value = strictJsonIn(Buffer.from(text))
  if (value === undefined) throw new Problem('cli.input', `${name} is neither a PEM nor JSON, or holds a key twice.`)
  const jwks = isObject(value) && Array.isArray(value.keys) ? value.keys : [value]
  return jwks.filter(isObject).flatMap((jwk) => {
    if ('d' in jwk || 'k' in jwk) throw privateKeyProblem(name)
    const key = keyFrom({ key: jwk as JsonWebKey, format: 'jwk' })
    const algorithm = key && algorithmOf(key)
    if (!algorithm || (jwk.alg ?? algorithm) !== algorithm || (jwk.use ?? 'sig') !== 'sig') return []
    return [{ algorithm, kid: typeof jwk.kid === 'string' ? jwk.kid : null, key }]
  })
}

function keysOfPem(text: string, name: string): PublicKey[] {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) throw privateKeyProblem(name)
  const blocks = text.match(/-----BEGIN ((?:RSA )?PUBLIC KEY|CERTIFICATE)-----[^-]*-----END \1-----/g) ?? []
  return blocks.flatMap((block) => {
    const key = keyFrom(block)
    const algorithm = key && algorithmOf(key)
    return algorithm ? [{ algorithm, kid: null, key }] : []
  })
}

function keyFrom(input: Parameters<typeof createPublicKey>[0]): KeyObject | undefined {
  try {
    return createPublicKey(input)
  } catch {
    return undefined
  }
}

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): Algorithm | undefined {
  if (type === 'ec' && details?.namedCurve === 'prime256v1') return 'ES256'
  return type === 'rsa' && (details?.modulusLength ?? 0) >= smallestRsaBits ? 'RS256' : undefined
}

const privateKeyProblem = (name: string) =>
  new Problem('cli.input', `${name} holds a private key. It was not used.`, {
    hint: 'verifying needs the public key alone; keep the private one where it signs',
  })
