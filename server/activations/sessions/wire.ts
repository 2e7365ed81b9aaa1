import { type Static, Type } from 'typebox'
import { Uuid } from '../../../catalog-schema/scalars.ts'
import { isSeatHeld, type SeatPolicy } from '../../entitlements/seats/holding.ts'
import { toInstant, toNullableInstant } from '../../kit/instants.ts'
import { Instant, NullId, NullInstant, NullWords } from '../../kit/records/answers.ts'
import type { SessionRow } from './licensed.ts'

/** A license session as it is answered, to the application and to the back office alike. */
export const SessionRecord = Type.Object({
  id: Uuid({ description: 'The session; the `sub` of its license tokens.' }),
  isTrial: Type.Boolean(),
  isValidSession: Type.Boolean({
    description:
      'Lease not expired, inside the validity window, neither revoked nor released, and the entitlement is good.',
  }),
  activationTime: Instant('When the device was activated first.'),
  lastAccessTime: Instant('When the application was last heard of.'),
  leaseExpiration: Instant('Until when the application may go on without renewing.'),
  graceExpiration: Instant('Until when it may go on after that; the token is good until then.'),
  trialExpiration: NullInstant('The end of the trial; null when it is none.'),
  leaseTime: Type.String({ description: 'ISO 8601: how long each lease lasts.' }),
  isRevoked: Type.Boolean(),
  revokedAt: NullInstant('When it was revoked.'),
  revokeReason: NullWords('Why it was revoked.'),
  releasedAt: NullInstant('When its seat was given back.'),
  holdsSeat: Type.Boolean({ description: "Whether it counts in its entitlement's seats now." }),
  isOffline: Type.Boolean({ description: 'Whether it was issued as a file, for a device without a network.' }),
  fingerprint: Type.String(),
  deviceName: NullWords('What the device is called.'),
  applicationInstanceId: NullWords('The running instance, where each takes a seat of its own.'),
  applicationScope: NullWords('The application scope it was activated for.'),
  activationCode: NullWords('The code it was activated by; null without one.'),
  licenseKey: NullWords('The license key of its entitlement.'),
  entitlementId: Uuid({ description: 'Its entitlement.' }),
  appliedPlanSetId: NullId('The set of its plan.'),
  appliedPlanName: NullWords('Its plan.'),
  licensedProducts: Type.Array(Uuid(), { description: 'The ids of the licensed products.' }),
  cannotActivateBeforeTimestamp: NullInstant('The beginning of the validity window.'),
  notValidAfterTimestamp: NullInstant('Its end.'),
  userId: NullId('The user who activated it.'),
  email: NullWords("The address given with the activation, or else the user's, or that of its code."),
})
export type SessionRecord = Static<typeof SessionRecord>

/** What a session's record tells beside its own row. */
export interface SessionSurroundings {
  /** The text of its code; null without one. */
  activationCode: string | null
  licenseKey: string | null
  /** Whether its entitlement is good now (entitlements/life `refusalOf` names nothing). */
  isEntitlementGood: boolean
  /** How its entitlement's seats are held; undefined when the entitlement is gone, and its seats with it. */
  seatPolicy: SeatPolicy | undefined
}

/** A session as it is answered at `now`. */
export function toWire(row: SessionRow, surroundings: SessionSurroundings, now: number): SessionRecord {
  return {
    id: row.id,
    isTrial: row.is_trial === 1,
    isValidSession: surroundings.isEntitlementGood && isValid(row, now),
    activationTime: toInstant(row.activated_at),
    lastAccessTime: toInstant(row.last_access_at),
    leaseExpiration: toInstant(row.lease_expires_at),
    graceExpiration: toInstant(row.grace_expires_at),
    trialExpiration: toNullableInstant(row.trial_expires_at),
    leaseTime: row.lease_time,
    isRevoked: row.revoked_at !== null,
    revokedAt: toNullableInstant(row.revoked_at),
    revokeReason: row.revoke_reason,
    releasedAt: toNullableInstant(row.released_at),
    holdsSeat:
      row.is_seated === 1 && surroundings.seatPolicy !== undefined && isSeatHeld(row, surroundings.seatPolicy, now),
    isOffline: row.is_offline === 1,
    fingerprint: row.fingerprint,
    deviceName: row.device_name,
    applicationInstanceId: row.instance_id === '' ? null : row.instance_id,
    applicationScope: row.application_scope,
    activationCode: surroundings.activationCode,
    licenseKey: surroundings.licenseKey,
    entitlementId: row.entitlement_id,
    appliedPlanSetId: row.plan_set_id,
    appliedPlanName: row.plan_name,
    licensedProducts: JSON.parse(row.product_ids) as string[],
    cannotActivateBeforeTimestamp: toNullableInstant(row.not_before),
    notValidAfterTimestamp: toNullableInstant(row.not_after),
    userId: row.user_id,
    email: row.email,
  }
}

const isValid = (row: SessionRow, now: number) =>
  row.revoked_at === null &&
  row.released_at === null &&
  row.lease_expires_at > now &&
  (row.not_before === null || row.not_before <= now) &&
  (row.not_after === null || row.not_after > now)
