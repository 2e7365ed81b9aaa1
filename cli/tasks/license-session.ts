import { choosePlace } from '../environments/choosing.ts'
import { holdSecrets } from '../held-secrets.ts'
import { isObject } from '../json-objects.ts'
import { readCompactToken } from '../licenses/compact-token.ts'
import type { ActivationBody } from '../licenses/offline-request.ts'
import { Problem } from '../problems.ts'
import { duringPhase } from '../progress.ts'
import { tenantClient } from '../server-client.ts'
import { lookFirst } from '../server-connection/asking.ts'
import { hearClock } from '../tenant-clock.ts'
import { objectOf, openSession, type RuntimeAnswer } from './licensed-session.ts'

const activations = '/api/v1/provision/activations'

/** What an activation asks with beside what an offline request has. */
export interface ActivationRequest extends ActivationBody {
  productCode?: string | undefined
  applicationInstanceId?: string | undefined
  deviceName?: string | undefined
}

/** An answer with a license token. */
export type TokenAnswer = RuntimeAnswer & { token: string }

/** A licence for a device, and what belongs to it, as the server answers. Calls as nobody: the code is the credential. */
export async function activateLicense(named: string | undefined, request: ActivationRequest): Promise<TokenAnswer> {
  const { url } = await choosePlace(named)
  holdSecrets(request.activationCode)
  const answer = await duringPhase(`Activating at ${new URL(url).host}`, () =>
    tenantClient(url).callRest('POST', `${activations}/license`, { body: request }),
  )
  return withToken(heard(objectOf(answer, lookFirst)))
}

/** A new token for the session of the license token in a file, its lease begun again. Goes where callSession goes, and raises what it does. */
export const renewLicense = async (file: string, named: string | undefined): Promise<TokenAnswer> =>
  withToken(await callSession('renew', file, named))

/**
 * What the server answers to the session of the license token in a file. Goes where openSession says, and raises what it
 * does.
 */
export async function callSession(
  deed: 'renew' | 'check-in' | 'release',
  file: string,
  named: string | undefined,
): Promise<RuntimeAnswer> {
  const session = await openSession(file, named)
  const path = `${activations}/${encodeURIComponent(session.id)}/${deed}`
  return heard(await duringPhase(`Asking ${session.host}`, () => session.call('POST', path)))
}

/** An answer with the session that was heard of just now, by the tenant's clock. */
function heard(answer: RuntimeAnswer): RuntimeAnswer {
  const { session } = answer
  if (isObject(session) && typeof session.lastAccessTime === 'string') hearClock(Date.parse(session.lastAccessTime))
  return answer
}

function withToken(answer: RuntimeAnswer): TokenAnswer {
  if (typeof answer.token === 'string' && readCompactToken(answer.token)) return { ...answer, token: answer.token }
  throw new Problem('cli.unreadable_answer', 'The server answered without a license token.', { hint: lookFirst })
}
