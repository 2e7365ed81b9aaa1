import { normalDuration } from '../../../catalog-schema/duration.ts'
import type { ColumnField } from '../../kit/filter/fields.ts'

const field = (
  name: string,
  column: string,
  type: 'text' | 'uuid' | 'boolean' | 'instant',
  nullable: boolean,
): ColumnField => ({ name, column: `license_sessions.${column}`, type, nullable })

/** The id, which orders sessions as they were activated. */
export const sessionIdField = field('id', 'id', 'uuid', false)

/** By what lists of sessions may be filtered and sorted: every scalar but the activation code, which is kept sealed (its id tells whose it is). */
export const sessionFilterFields: readonly ColumnField[] = [
  sessionIdField,
  field('isTrial', 'is_trial', 'boolean', false),
  field('isValidSession', 'is_valid', 'boolean', false),
  field('activationTime', 'activated_at', 'instant', false),
  field('lastAccessTime', 'last_access_at', 'instant', false),
  field('leaseExpiration', 'lease_expires_at', 'instant', false),
  field('graceExpiration', 'grace_expires_at', 'instant', false),
  field('trialExpiration', 'trial_expires_at', 'instant', true),
  {
    name: 'leaseTime',
    column: 'license_sessions.lease_time',
    type: 'duration',
    canonical: normalDuration,
    nullable: false,
  },
  field('isRevoked', 'is_revoked', 'boolean', false),
  field('revokedAt', 'revoked_at', 'instant', true),
  field('revokeReason', 'revoke_reason', 'text', true),
  field('releasedAt', 'released_at', 'instant', true),
  field('holdsSeat', 'holds_seat', 'boolean', false),
  field('isOffline', 'is_offline', 'boolean', false),
  field('fingerprint', 'fingerprint', 'text', false),
  field('deviceName', 'device_name', 'text', true),
  field('applicationInstanceId', 'application_instance_id', 'text', true),
  field('applicationScope', 'application_scope', 'text', true),
  field('licenseKey', 'license_key', 'text', true),
  field('entitlementId', 'entitlement_id', 'uuid', false),
  field('appliedPlanSetId', 'plan_set_id', 'uuid', true),
  field('appliedPlanName', 'plan_name', 'text', true),
  field('cannotActivateBeforeTimestamp', 'not_before', 'instant', true),
  field('notValidAfterTimestamp', 'not_after', 'instant', true),
  field('userId', 'user_id', 'uuid', true),
  field('email', 'email', 'text', true),
]
