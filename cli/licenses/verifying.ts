import { verify } from 'node:crypto'
import { readCompactToken } from './compact-token.ts'
import { type Expectations, judgeLicense, type Moment, type Reason } from './judging.ts'
import { licenseOf } from './license-claims.ts'
import { schemaVersion } from './offline-request.ts'
import { readOfflineResponse } from './offline-response.ts'
import type { Algorithm, PublicKey } from './public-keys.ts'

/** Whether a licence is valid, and why not. */
export interface Verdict {
  valid: boolean
  reasons: Reason[]
  /** The key that signed it; null for one without a name, and where none did. */
  kid: string | null
  /** What it says; null where the signature is not proved, since anybody could have written it. */
  claims: Record<string, unknown> | null
}

/** A signed text, taken apart. */
interface Signed {
  signed: Buffer
  signature: Buffer
  /** The key it names; null when it names none. */
  kid: unknown
}

/** The judgement of a license token (contract: ES256, typ license+jwt) at a moment, by public keys alone. */
export function verifyToken(text: string, keys: readonly PublicKey[], expected: Expectations, moment: Moment): Verdict {
  const token = readCompactToken(text)
  if (!token) return malformed('It is not a token: three canonical base64url segments that hold JSON.')
  const { typ, alg, kid, crit } = token.header
  if (typ !== 'license+jwt') return refused('wrong_type', `It is no license token (typ ${said(typ)}).`)
  if (alg !== 'ES256') return refused('wrong_algorithm', `It is not signed as license tokens are (alg ${said(alg)}).`)
  if (crit !== undefined) return malformed('Its header asks for an extension that there is not (crit).')
  const proof = findSigner({ ...token, kid: kid ?? null }, keys, 'ES256')
  if (!('key' in proof)) return { ...none, reasons: [proof] }
  return judged(proof.key, token.claims, judgeLicense(licenseOf(token.claims), expected, moment))
}

/** The judgement of an offline response (interface: RSA-SHA256 over the bytes inside signedPayload) at a moment, by public keys alone. */
export function verifyOfflineResponse(
  value: unknown,
  keys: readonly PublicKey[],
  expected: Expectations,
  moment: Moment,
): Verdict {
  const response = readOfflineResponse(value)
  if ('wrong' in response) return malformed(`The response ${response.wrong}.`)
  const proof = findSigner({ ...response, kid: response.claims.kid ?? null }, keys, 'RS256')
  if (!('key' in proof)) return { ...none, reasons: [proof] }
  const { schemaVersion: version } = response.claims
  if (version !== schemaVersion)
    return judged(proof.key, null, [
      {
        code: 'schema_version',
        message: `Its schemaVersion is ${said(version)}; only ${schemaVersion} can be read here.`,
      },
    ])
  return judged(proof.key, response.claims, judgeLicense(licenseOf(response.claims), expected, moment))
}

/** The key that signed it. A key with another name than the one asked for is not tried; one without a name always is. */
function findSigner({ signed, signature, kid }: Signed, keys: readonly PublicKey[], algorithm: Algorithm) {
  const fitting = keys.filter((key) => key.algorithm === algorithm)
  const tried = fitting.filter((key) => kid === null || key.kid === null || key.kid === kid)
  if (tried.length === 0) {
    const wanted =
      fitting.length === 0
        ? `one that such a licence is signed with (${algorithm})`
        : `the one it names (kid ${said(kid)})`
    return reason('unknown_key', `None of the public keys is ${wanted}; ${freshKeys}.`)
  }
  const key = tried.find((one) => verify('sha256', signed, { key: one.key, dsaEncoding: 'ieee-p1363' }, signature))
  return key
    ? { key }
    : reason('wrong_signature', 'Its signature does not fit: it was altered, or signed with another key.')
}

/** A tenant's keys are rotated, so that the file may be of before. */
const freshKeys = 'fetch those of its tenant afresh (licet api GET /.well-known/jwks.json > jwks.json)'

const none: Verdict = { valid: false, reasons: [], kid: null, claims: null }
const reason = (code: Reason['code'], message: string): Reason => ({ code, message })
/** The verdict on what is not what it should be. */
export const malformed = (message: string): Verdict => refused('malformed', message)
const refused = (code: Reason['code'], message: string): Verdict => ({ ...none, reasons: [reason(code, message)] })
const judged = ({ kid }: PublicKey, claims: Verdict['claims'], reasons: Reason[]): Verdict => ({
  valid: reasons.length === 0,
  reasons,
  kid,
  claims,
})

/** A value that is not trusted, short enough to be repeated. */
const said = (value: unknown) => (value === undefined ? 'missing' : String(JSON.stringify(value)).slice(0, 100))
