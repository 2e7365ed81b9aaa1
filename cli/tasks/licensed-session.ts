import { choosePlace } from '../environments/choosing.ts'
import { tenantUrl } from '../environments/environment.ts'
import { inputName } from '../input-files.ts'
import { isObject } from '../json-objects.ts'
import { readCompactToken } from '../licenses/compact-token.ts'
import { readLicenseText, tokenTextIn } from '../licenses/license-file.ts'
import { exitCodes, Problem } from '../problems.ts'
import { type RestOptions, tenantClient, tenantPath } from '../server-client.ts'
import { againAfter } from '../server-connection/asking.ts'

/** An answer of the runtime: an object of the contract, its members not looked at. */
export type RuntimeAnswer = Record<string, unknown>

/** A license session whose token is at hand: calls are made as it. */
export interface LicensedSession {
  id: string
  /** Where it is asked. */
  host: string
  /** That the licence is not valid is a negative answer. */
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
  // One that the tenant that issued it refuses is good no more, nor is one that has expired by this machine's clock.
  const isOverWhenRefused = isExpired || url === claims.iss
  const tenant = tenantClient(url, text)
  return {
    id: claims.sub,
    host: new URL(url).host,
    call: (method, path, options) =>
      tenant.callRest(method, path, options).then(
        (answer) => objectOf(answer, againAfter(method, tenantPath(url, path))),
        (error) => refuse(error, isOverWhenRefused),
      ),
  }
}

/** An answer that is an object. Raises cli.unreadable_answer, with what to try. */
export function objectOf(answer: unknown, hint: string): RuntimeAnswer {
  if (isObject(answer)) return answer
  throw new Problem('cli.unreadable_answer', 'The server answered something else than an object.', { hint })
}

/** What a server says of a licence that is not valid, now or any more. */
const notValid = new Set([
  'license.entitlement_not_active',
  'license.not_yet_valid',
  'license.expired',
  'license.session_not_valid',
  'license.device_not_allowed',
])

/**
 * That a licence is not valid is a negative answer, and no failure. The client of an environment, which other refusals of a
 * token are about, has no part in this.
 */
function refuse(error: unknown, isOverWhenRefused: boolean): never {
  if (!(error instanceof Problem)) throw error
  const { codeName, message, details } = error
  const isOfToken = codeName === 'auth.unauthenticated'
  if (!isOfToken && !notValid.has(codeName)) throw error
  throw new Problem(codeName, message, {
    ...details,
    ...(isOfToken && {
      hint: 'the licence has expired, or is not of this tenant: activate again (licet license activate)',
    }),
    ...((!isOfToken || isOverWhenRefused) && { exitCode: exitCodes.negative }),
  })
}
