import type { AuthenticationLevel } from '../../kit/context.ts'
import { type ActivationFacts, refusalOfActivation } from '../sessions/precedence.ts'

/** What a code alone tells of an activation. */
export interface ShownCode {
  standing: ActivationFacts['standing']
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
