export interface SessionTables {
  license_sessions: {
    id: string
    tenant_id: string
    entitlement_id: string
    /** Within what a device is known again: `code:ID`, `user:ID/ENTITLEMENT` or `try:OFFER`. */
    holder: string
    activation_code_id: string | null
    user_id: string | null
    email: string | null
    fingerprint: string
    /** JSON: the fingerprints that it was activated with before, the latest first; null when it never had another. */
    former_fingerprints: string | null
    /** The running instance of the application; empty unless each takes a seat of its own. */
    instance_id: string
    device_name: string | null
    /** JSON: hashes of the device's components, by name. */
    components: string | null
    /** JSON: what the application said of itself. */
    application_info: string | null
    application_scope: string | null
    product_code: string | null
    is_trial: number
    is_offline: number
    activated_at: number
    last_access_at: number
    lease_expires_at: number
    grace_expires_at: number
    /** ISO 8601: how long a lease of this session lasts. */
    lease_time: string
    trial_expires_at: number | null
    not_before: number | null
    not_after: number | null
    plan_set_id: string | null
    plan_name: string | null
    /** JSON: the licensed products. */
    product_ids: string
    /** Whether it is counted in its entitlement's seats. */
    is_seated: number
    /** When its seat lapses by itself; null when it does not. */
    seat_until: number | null
    revoked_at: number | null
    revoke_reason: string | null
    released_at: number | null
    /** The end user who freed it; null for a release by the device itself or the back office. */
    released_by: string | null
  }
  blocked_devices: {
    tenant_id: string
    entitlement_id: string
    fingerprint: string
    /** The session that it was blocked with; null of one that was blocked before that was kept. */
    session_id: string | null
    reason: string | null
    blocked_at: number
    blocked_by: string
  }
}
