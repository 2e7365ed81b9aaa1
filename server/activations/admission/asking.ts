import type { Readable } from '../../database/database.ts'
import { findCodes, lookupKeysOf } from '../../entitlements/activation-codes/lookup.ts'
import { ownLimitOf } from '../../entitlements/activation-codes/status.ts'
import { refusalOf } from '../../entitlements/life/standing.ts'
import { activationPolicyOf, licensePolicyOf } from '../../entitlements/policies/effective.ts'
import type { AuthenticationLevel, RequestContext } from '../../kit/context.ts'
import { groupAskedBy } from '../sessions/activation-decision.ts'
import { isAdmitted, type ShownCode } from './admitting.ts'
import { recordWrongCode } from './guessing.ts'
import { countSeats, findJudged } from './store.ts'

/** The id that is looked for where there is none, so that the database is asked as much as ever. */
const nothing = '00000000-0000-0000-0000-000000000000'

/**
 * The id of the code of this text, if it would let somebody new in; undefined otherwise, and that is counted: throws
 * request.rate_limited where an address shows too many such. Every no is reached by the same questions to the database.
 */
export async function findAdmittingCode(
  read: Readable,
  context: RequestContext,
  text: string,
): Promise<string | undefined> {
  const found = await findShown(read, context, text)
  if (found && isAdmitted(found.shown, context.now)) return found.codeId
  recordWrongCode(context)
  return undefined
}

async function findShown(
  read: Readable,
  { sealer, tenant, now }: RequestContext,
  text: string,
): Promise<{ codeId: string; shown: ShownCode } | undefined> {
  const keys = lookupKeysOf(sealer, tenant.id, text)
  const codes = await findCodes(read, tenant.id, keys)
  const code = keys.flatMap((key) => codes.find(({ lookup_key }) => lookup_key === key) ?? [])[0]
  const entitlementId = code?.entitlement_id ?? nothing
  const entitlement = await findJudged(read, tenant.id, entitlementId)
  const asked = { tenantId: tenant.id, entitlementId, codeId: code?.id ?? nothing, now }
  const license = licensePolicyOf(entitlement ?? { license_policy: null })
  const { taken, lapsed, lapsedOfCode } = await countSeats(read, asked, license)
  if (!code || !entitlement) return undefined
  const policy = activationPolicyOf(entitlement)
  const shown = {
    standing: refusalOf(entitlement, now),
    isClosed: entitlement.activations_enabled === 0,
    expiresAt: code.expires_at,
    isRevoked: code.revoked_at !== null,
    requiredLevel: (code.required_authentication_level ?? policy.requiredAuthenticationLevel) as AuthenticationLevel,
    requiresVerifiedUser: policy.requireNewUserVerification,
    requiredUserId: code.required_user_id,
    requiresMember: groupAskedBy(policy, code) !== null,
    seats: [
      { taken: taken - lapsed, limit: license.maxDeviceActivations },
      { taken: code.used_activations - lapsedOfCode, limit: ownLimitOf(code) },
    ],
  }
  return { codeId: code.id, shown }
}
