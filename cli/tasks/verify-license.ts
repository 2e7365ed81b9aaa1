import { inputName, readInputText, refuseSharedStdin } from '../input-files.ts'
import { strictJsonIn } from '../json-objects.ts'
import { readCompactToken } from '../licenses/compact-token.ts'
import type { Expectations, Moment } from '../licenses/judging.ts'
import { offlineRequestIn, readLicenseText, tokenTextIn } from '../licenses/license-file.ts'
import { sha256 } from '../licenses/offline-request.ts'
import { readOfflineResponse } from '../licenses/offline-response.ts'
import { type PublicKey, readPublicKeys } from '../licenses/public-keys.ts'
import { malformed, type Verdict, verifyOfflineResponse, verifyToken } from '../licenses/verifying.ts'

/** The files of a verification, each a path or `-` for stdin, and what the licence is held against. */
export interface Verification {
  file: string
  publicKey: string
  fingerprint?: string | undefined
  /** The request that an offline response must answer. */
  request?: string | undefined
  issuer?: string | undefined
  audience?: string | undefined
  moment: Moment
}

/** A verdict with what it was found by. */
export interface Verified extends Verdict {
  /** What the licence was held against, in words; `signature` and `validity` always. */
  checked: string[]
}

/** The verdict on the license token of a file. Raises cli.input for files that cannot be read and keys that are none. */
export const verifyTokenFile = (asked: Verification): Promise<Verified> =>
  verifyFile(asked, (text, keys, expected) =>
    isOfflineResponse(text)
      ? malformed('It is an offline response and no license token: "licet offline verify" verifies it.')
      : verifyToken(tokenTextIn(text), keys, expected, asked.moment),
  )

/** The verdict on the offline response of a file. Raises cli.input as verifyTokenFile does, and for a request that is none. */
export const verifyResponseFile = (asked: Verification): Promise<Verified> =>
  verifyFile(asked, (text, keys, expected) =>
    !isOfflineResponse(text) && isToken(text)
      ? malformed('It is a token and no offline response: "licet license verify" verifies license tokens.')
      : verifyOfflineResponse(strictJsonIn(Buffer.from(text)), keys, expected, asked.moment),
  )

const isOfflineResponse = (text: string) => !('wrong' in readOfflineResponse(strictJsonIn(Buffer.from(text))))
const isToken = (text: string) => readCompactToken(text.trim()) !== undefined

async function verifyFile(
  { file, publicKey, request, fingerprint, issuer, audience }: Verification,
  judge: (text: string, keys: PublicKey[], expected: Expectations) => Verdict,
): Promise<Verified> {
  refuseSharedStdin([file, publicKey, request])
  const keys = readPublicKeys(await readInputText(publicKey, { limit: 1024 * 1024 }), inputName(publicKey))
  const asked = request === undefined ? undefined : offlineRequestIn(await readLicenseText(request), inputName(request))
  const device = fingerprint ?? asked?.body.fingerprint
  const expected = {
    issuer,
    audience,
    fingerprint: device === undefined ? undefined : sha256(device),
    nonce: asked?.meta.nonce,
  }
  const named = Object.entries(expected).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  return { ...judge(await readLicenseText(file), keys, expected), checked: ['signature', 'validity', ...named] }
}
