import { choosePlace } from '../environments/choosing.ts'
import { tenantUrl } from '../environments/environment.ts'
import { inputName } from '../input-files.ts'
import { isObject } from '../licenses/canonical-base64.ts'
import { readCompactToken } from '../licenses/compact-token.ts'
import { readLicenseText, tokenTextIn } from '../licenses/license-file.ts'
import { Problem } from '../problems.ts'
import { type RestOptions, tenantClient } from '../server-client.ts'

/** An answer of the runtime: an object of the contract, its members not looked at. */
export type RuntimeAnswer = Record<string, unknown>

/** A license session whose token is at hand: calls are made as it. */
export interface LicensedSession {
  id: string
  /** Where it is asked. */
  host: string
  /** Whether the token has expired by this machine's clock, or the tenant that issued it is asked: one that is refused is good no more. */
  isOverWhenRefused: boolean
  call(method: string, path: string, options?: RestOptions): Promise<RuntimeAnswer>
}

/**
 * The session of the license token in a file. Asks the tenant that issued the token, unless an environment is named or
 * LICET_URL is set. Raises cli.input for a file without a token.
 */
export async function openSession(file: string, named: string | undefined): Promise<LicensedSession> {
  const text = tokenTextIn(await readLicenseText(file))
  const { header, claims } = readCompactToken(text) ?? {}
  if (header?.typ !== 'license+jwt' || typeof claims?.sub !== 'string' || typeof claims.iss !== 'string')
    throw new Problem('cli.input', `${inputName(file)} holds no license token.`, {
      hint: 'the file that "licet license activate --out" wrote',
    })
  const isChosen = named !== undefined || Boolean(process.env.LICET_URL)
  const url = isChosen ? (await choosePlace(named)).url : tenantUrl(claims.iss, 'the issuer of the token')
  const isExpired = typeof claims.exp === 'number' && claims.exp * 1000 <= Date.now()
  const tenant = tenantClient(url, text)
  return {
    id: claims.sub,
    host: new URL(url).host,
    isOverWhenRefused: isExpired || url === claims.iss,
    call: (...asked) => tenant.callRest(...asked).then(objectOf, refusedToken),
  }
}

/** An answer that is an object. Raises cli.unreadable_answer. */
export function objectOf(answer: unknown): RuntimeAnswer {
  if (isObject(answer)) return answer
  throw new Problem('cli.unreadable_answer', 'The server answered something else than an object.')
}

/** The client of an environment, which other refusals of a token are about, has no part in this. */
function refusedToken(error: unknown): never {
  if (!(error instanceof Problem) || error.codeName !== 'auth.unauthenticated') throw error
  const { codeName, message, details } = error
  throw new Problem(codeName, message, {
    ...details,
    hint: 'the licence has expired, or is not of this tenant: activate again (licet license activate)',
  })
}
