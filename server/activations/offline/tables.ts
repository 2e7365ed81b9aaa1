export interface OfflineTables {
  /** What was issued offline, by the request that it answers. */
  offline_issues: {
    tenant_id: string
    request_digest: string
    session_id: string
    sealed_envelope: string
    issued_at: number
  }
}
