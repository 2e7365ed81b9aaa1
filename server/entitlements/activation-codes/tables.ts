import type { RecordRow } from '../../kit/records/record-row.ts'

export interface ActivationCodeTables {
  activation_codes: RecordRow & {
    entitlement_id: string
    /** A keyed hash of the code without what does not matter to a look-up. */
    lookup_key: string
    /** The code as it is shown, sealed. */
    sealed_code: string
    required_authentication_level: string | null
    /** JSON: fingerprints. */
    pre_authorized_devices: string | null
    fingerprint: string | null
    max_device_activations: number | null
    use_entitlement_max_activations: number
    email: string | null
    is_trial_activation: number
    requires_user_consent: number
    send_user_notification: number
    organization_group_id: string | null
    required_user_id: string | null
    expires_at: number | null
    revoked_at: number | null
    /** How many of its sessions hold a seat. */
    used_activations: number
  }
  key_sequences: { tenant_id: string; scope_key: string; next_number: number }
}
