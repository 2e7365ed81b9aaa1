import { refuseToken } from '../../access/tokens/authentication.ts'
import type { Readable } from '../../database/database.ts'
import { lookupKeysOf } from '../../entitlements/activation-codes/lookup.ts'
import { findEntitlements } from '../../entitlements/entitlements/loading.ts'
import { refusalOf } from '../../entitlements/life/standing.ts'
import { listAssigned } from '../../entitlements/principals/assignments.ts'
import type { RequestContext, UserCaller } from '../../kit/context.ts'
import { invalid, Problem } from '../../kit/problem.ts'
import type { ActivationAsked } from './asking.ts'
import type { Components } from './component-matching.ts'
import type { ActivationRequest, TryRequest } from './contract.ts'

/** The signed-in user of an activation request, if it says that there is one; throws when it says neither a user nor a code. */
export async function findActivatingUser(
  context: RequestContext,
  request: ActivationRequest,
): Promise<UserCaller | null> {
  if (codeOf(request) === null && request.useInteractiveUser !== true)
    throw invalid([{ pointer: '/activationCode', message: 'must be given, unless a signed-in user activates' }])
  return request.useInteractiveUser ? getUser(context) : null
}

/** The code that was given, if any. */
export const codeOf = ({ activationCode }: ActivationRequest) => activationCode?.trim() || null

/** What an activation request asks: by its code, or else by its user's one entitlement. */
export async function prepareActivation(
  read: Readable,
  context: RequestContext,
  request: ActivationRequest,
  user: UserCaller | null,
): Promise<ActivationAsked> {
  const { sealer, tenant } = context
  const code = codeOf(request)
  return {
    ...deviceOf(context, request),
    codeKeys: code === null ? null : lookupKeysOf(sealer, tenant.id, code),
    entitlementId: code === null ? await getOnlyEntitlement(read, context, user!) : null,
    holder: null,
    user,
  }
}

/** What every activation says of its device. */
export const deviceOf = (
  { ip }: RequestContext,
  request: TryRequest,
): Omit<ActivationAsked, 'codeKeys' | 'entitlementId' | 'holder' | 'user'> => ({
  deed: 'activate',
  ip,
  fingerprint: request.fingerprint,
  components: sentOf(request.components),
  instanceId: request.applicationInstanceId ?? '',
  productCode: request.productCode ?? null,
  applicationScope: request.applicationInfo?.applicationScope ?? null,
  applicationInfo: request.applicationInfo ? JSON.stringify(request.applicationInfo) : null,
  deviceName: request.deviceName ?? null,
  email: request.email ?? null,
  isOffline: false,
})

/** The components without those that a device has none of, which it may send as null; null when there are none. */
function sentOf(components: Readonly<Record<string, string | null>> | null | undefined): Components | null {
  const sent = Object.entries(components ?? {}).filter((entry): entry is [string, string] => entry[1] !== null)
  return sent.length === 0 ? null : Object.fromEntries(sent)
}

async function getUser(context: RequestContext): Promise<UserCaller> {
  const caller = context.caller.kind === 'user' ? context.caller : await context.identify?.('user')
  if (caller?.kind === 'user') return caller
  const detail = 'useInteractiveUser asks for the token of a signed-in user.'
  throw !caller || caller.kind === 'anyone' ? new Problem('auth.unauthenticated', detail) : refuseToken(detail)
}

/** The one entitlement that the user is assigned to; of several the one that may be used now, if it is just one. */
async function getOnlyEntitlement(
  read: Readable,
  { tenant, now }: RequestContext,
  { userId }: UserCaller,
): Promise<string> {
  const ids = await listAssigned(read, tenant.id, userId)
  if (ids.length === 0) throw new Problem('license.not_found', 'No entitlement is assigned to this user.')
  if (ids.length === 1) return ids[0]!
  const rows = await findEntitlements(read, tenant.id, ids)
  const usable = rows.filter((row) => refusalOf(row, now) === undefined)
  if (usable.length === 1) return usable[0]!.id
  throw new Problem('license.choice_required', 'The user has several entitlements; give the activation code of one.')
}
