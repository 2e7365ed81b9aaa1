import type { EntitlementRow } from '../../entitlements/entitlements/loading.ts'
import type { AuthenticationLevel } from '../../kit/context.ts'
import { type ActivationFacts, refusalOfActivation } from '../sessions/precedence.ts'

/**
 * What the standing of an entitlement, and its policies, are read from. The rest of its row can be so large that reading
 * it shows in the time that an answer takes.
 */
export const judgedColumns = [
  'status',
  'not_valid_before_date_time',
  'expiration_date_time',
  'activations_enabled',
  'is_entitlement_trial',
  'trial_ends_at',
  'trial_policy',
  'renewal_policy',
  'activation_policy',
  'license_policy',
] as const satisfies (keyof EntitlementRow)[]

/** What a code alone tells of an activation. */
export interface ShownCode {
  standing: ActivationFacts['standing']
  isClosed: boolean
  expiresAt: number | null
  isRevoked: boolean
  requiredLevel: AuthenticationLevel
  requiresVerifiedUser: boolean
  requiredUserId: string | null
  /** Whether a user must belong to a group. */
  requiresMember: boolean
  /** Seats of the entitlement and of the code, each with what is taken of it; a null limit is none. */
  seats: readonly { taken: number; limit: number | null }[]
}

/** Whether somebody new, with any device and without a sign-in, would be given a seat by the code at `now`. */
export function isAdmitted(code: ShownCode, now: number): boolean {
  const refusal = refusalOfActivation({
    now,
    standing: code.standing,
    isClosed: code.isClosed,
    codeExpiresAt: code.expiresAt,
    trialExpiresAt: null,
    user: null,
    requiredLevel: code.requiredLevel,
    requiresVerifiedUser: code.requiresVerifiedUser,
    requiredUserId: code.requiredUserId,
    isMember: !code.requiresMember,
    ...anyDevice,
  })
  const hasRoom = code.seats.every(({ taken, limit }) => limit === null || taken < limit)
  return refusal === undefined && hasRoom && !code.isRevoked
}

/** What a code does not tell: whoever asks has not shown it yet, so nothing is held against it. */
const anyDevice = {
  productCode: null,
  requiresProductCode: false,
  productCodes: [],
  applicationScope: null,
  allowedScopes: [],
  ip: '',
  allowedNetworks: [],
  fingerprint: '',
  isBlocked: false,
  requiresNamedDevice: false,
  namedDevices: [],
  shortestFingerprint: 0,
}
