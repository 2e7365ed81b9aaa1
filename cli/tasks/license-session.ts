import { choosePlace } from '../environments/choosing.ts'
import { tenantUrl } from '../environments/environment.ts'
import { holdSecrets } from '../held-secrets.ts'
import { isObject } from '../licenses/canonical-base64.ts'
import { readCompactToken } from '../licenses/compact-token.ts'
import { readLicenseText, tokenTextIn } from '../licenses/license-file.ts'
import type { ActivationBody } from '../licenses/offline-request.ts'
import { Problem } from '../problems.ts'
import { duringPhase } from '../progress.ts'
import { tenantClient } from '../server-client.ts'

const activations = '/api/v1/provision/activations'

/** What an activation asks with beside what an offline request has. */
export interface ActivationRequest extends ActivationBody {
  productCode?: string | undefined
  applicationInstanceId?: string | undefined
  deviceName?: string | undefined
}

/** An answer of the runtime: an object of the contract, its members not looked at but for a token. */
export type RuntimeAnswer = Record<string, unknown>
export type TokenAnswer = RuntimeAnswer & { token: string }

/** A licence for a device, and what belongs to it, as the server answers. Calls as nobody: the code is the credential. */
export async function activateLicense(named: string | undefined, request: ActivationRequest): Promise<TokenAnswer> {
  const { url } = await choosePlace(named)
  holdSecrets(request.activationCode)
  return withToken(
    await call(`Activating at ${new URL(url).host}`, () =>
      tenantClient(url).callRest('POST', `${activations}/license`, { body: request }),
    ),
  )
}

/** A new token for the session of the license token in a file, its lease begun again. Goes where callSession goes, and raises what it does. */
export const renewLicense = async (file: string, named: string | undefined): Promise<TokenAnswer> =>
  withToken(await callSession('renew', file, named))

/**
 * What the server answers to the session of the license token in a file. Asks the tenant that issued the token, unless an
 * environment is named or LICET_URL is set. Raises cli.input for a file without a token.
 */
export async function callSession(
  deed: 'renew' | 'check-in' | 'release',
  file: string,
  named: string | undefined,
): Promise<RuntimeAnswer> {
  const text = tokenTextIn(await readLicenseText(file))
  const { header, claims } = readCompactToken(text) ?? {}
  if (header?.typ !== 'license+jwt' || typeof claims?.sub !== 'string' || typeof claims.iss !== 'string')
    throw new Problem('cli.input', `${file === '-' ? 'stdin' : file} holds no license token.`, {
      hint: 'the file that "licet license activate --out" wrote',
    })
  const isChosen = named !== undefined || Boolean(process.env.LICET_URL)
  const url = isChosen ? (await choosePlace(named)).url : tenantUrl(claims.iss, 'the issuer of the token')
  const path = `${activations}/${encodeURIComponent(claims.sub)}/${deed}`
  return call(`Asking ${new URL(url).host}`, () => tenantClient(url, text).callRest('POST', path))
}

async function call(label: string, send: () => Promise<unknown>): Promise<RuntimeAnswer> {
  const answer = await duringPhase(label, send).catch((error: unknown) => {
    throw error instanceof Problem && error.codeName === 'auth.unauthenticated' ? expiredToken(error) : error
  })
  if (isObject(answer)) return answer
  throw new Problem('cli.unreadable_answer', 'The server answered something else than an object.')
}

function withToken(answer: RuntimeAnswer): TokenAnswer {
  if (typeof answer.token === 'string' && readCompactToken(answer.token)) return { ...answer, token: answer.token }
  throw new Problem('cli.unreadable_answer', 'The server answered without a license token.')
}

/** The client of an environment, which other refusals of a token are about, has no part in this. */
const expiredToken = ({ codeName, message, details }: Problem) =>
  new Problem(codeName, message, {
    ...details,
    hint: 'the licence has expired, or is not of this tenant: activate again (licet license activate)',
  })
