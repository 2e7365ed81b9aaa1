export interface RegistrationTables {
  /** Who wants to become a user, until the e-mail address is confirmed. */
  registrations: {
    id: string
    tenant_id: string
    folded_email: string
    email: string
    display_name: string | null
    /** A keyed hash of the token that confirms it. */
    token_hash: string
    expires_at: number
    confirmed_at: number | null
    created_at: number
  }
}
