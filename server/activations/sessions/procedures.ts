import type { Readable } from '../../database/database.ts'
import type { RequestContext } from '../../kit/context.ts'
import type { Problem } from '../../kit/problem.ts'
import { task } from '../../kit/procedure.ts'
import { requireOwnSession } from '../../kit/scope-check.ts'
import { recordWrongCode } from '../admission/guessing.ts'
import { answerCheckIn, answerLicense, answerRelease, answerRenewal, answerToken } from './answering.ts'
import type { SessionAsked } from './asking.ts'
import type { Done } from './batch.ts'
import {
  type ActivationRequest,
  activateForLicense,
  activateForToken,
  activationNames,
  checkIn,
  releaseSession,
  renewSession,
} from './contract.ts'
import { codeOf, findActivatingUser, prepareActivation } from './preparing.ts'
import { perform } from './settling.ts'

export const sessionProcedures = {
  jwt: task(activateForToken, (context, request) =>
    activate(context, activateForToken.name, request, (done) => answerToken(done, context)),
  ),

  license: task(activateForLicense, (context, request) =>
    activate(context, activateForLicense.name, request, (done) => answerLicense(context.database.read, done, context)),
  ),

  renew: task(renewSession, (context, request) =>
    call(context, renewSession.name, 'renew', request, (done) => answerRenewal(done, context)),
  ),

  checkIn: task(checkIn, (context, request) => call(context, checkIn.name, 'check-in', request, answerCheckIn)),

  release: task(releaseSession, (context, request) =>
    call(context, releaseSession.name, 'release', request, answerRelease),
  ),
}

async function activate<Answer>(
  context: RequestContext,
  name: string,
  request: ActivationRequest,
  answer: (done: Done) => Answer | Promise<Answer>,
): Promise<Answer> {
  const user = await findActivatingUser(context, request)
  const parameters = { ...request, userId: user?.userId ?? null }
  const prepare = (read: Readable) => prepareActivation(read, context, request, user)
  // A 429 is no outcome: its Idempotency-Key stays free for when the code is there.
  const refused = ({ codeName }: Problem) => {
    if (codeOf(request) !== null && codeName === 'license.not_found') recordWrongCode(context)
  }
  return perform(context, { name, parameters, keptWith: activationNames, prepare, answer, refused })
}

/** What an application asks with its session's token. */
async function call<Answer>(
  context: RequestContext,
  name: string,
  deed: SessionAsked['deed'],
  request: { sessionId: string; fingerprint?: string | null },
  answer: (done: Done) => Answer,
): Promise<Answer> {
  const { sessionId, entitlementId } = requireOwnSession(context.caller, request.sessionId)
  const prepare = () => ({ deed, sessionId, entitlementId, fingerprint: request.fingerprint ?? null })
  return perform(context, { name, parameters: request, prepare, answer })
}
