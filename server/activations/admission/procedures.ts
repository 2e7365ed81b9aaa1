import { setTimeout as sleep } from 'node:timers/promises'
import { findCodes, lookupKeysOf } from '../../entitlements/activation-codes/lookup.ts'
import { ownLimitOf } from '../../entitlements/activation-codes/status.ts'
import { refusalOf } from '../../entitlements/life/standing.ts'
import { activationPolicyOf, licensePolicyOf } from '../../entitlements/policies/effective.ts'
import type { AuthenticationLevel, RequestContext } from '../../kit/context.ts'
import { task } from '../../kit/procedure.ts'
import { groupAskedBy } from '../sessions/activation-decision.ts'
import { isAdmitted, type ShownCode } from './admitting.ts'
import { checkAdmission } from './contract.ts'
import { recordWrongCode } from './guessing.ts'
import { restOf } from './pacing.ts'
import { countSeats, findJudged } from './store.ts'

/** The id that is looked for where there is none, so that the database is asked as much as ever. */
const nothing = '00000000-0000-0000-0000-000000000000'

/**
 * Whether a code would let somebody new in. Every no is reached by the same questions to the database, and is counted; every
 * answer keeps the pace.
 */
export const check = task(checkAdmission, async (context, { activationCode }) => {
  const arrivedAt = performance.now()
  try {
    const code = await findShown(context, activationCode)
    const admitted = code !== undefined && isAdmitted(code, context.now)
    if (!admitted) recordWrongCode(context)
    return { admitted }
  } finally {
    await sleep(restOf(performance.now() - arrivedAt))
  }
})

async function findShown(context: RequestContext, text: string): Promise<ShownCode | undefined> {
  const { database, sealer, tenant, now } = context
  const keys = lookupKeysOf(sealer, tenant.id, text)
  const codes = await findCodes(database.read, tenant.id, keys)
  const code = keys.flatMap((key) => codes.find(({ lookup_key }) => lookup_key === key) ?? [])[0]
  const entitlementId = code?.entitlement_id ?? nothing
  const entitlement = await findJudged(database.read, tenant.id, entitlementId)
  const asked = { tenantId: tenant.id, entitlementId, codeId: code?.id ?? nothing, now }
  const license = licensePolicyOf(entitlement ?? { license_policy: null })
  const { taken, lapsed, lapsedOfCode } = await countSeats(database.read, asked, license)
  if (!code || !entitlement) return undefined
  const policy = activationPolicyOf(entitlement)
  return {
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
}
