export interface ClientTables {
  clients: {
    id: string
    tenant_id: string
    name: string
    secret_hash: string
    previous_secret_hash: string | null
    /** Until when the previous secret is good, in milliseconds of the tenant's clock. */
    previous_secret_until: number | null
    /** JSON list of scope names. */
    scopes: string
    is_deleted: number
    created_at: number
    updated_at: number
    revision_number: number
  }
}
