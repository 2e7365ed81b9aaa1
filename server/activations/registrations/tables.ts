export interface RegistrationTables {
  /** Who wants to become a user, until the e-mail address is confirmed or the time for that is over. */
  registrations: {
    id: string
    tenant_id: string
    /** The address without regard to case. */
    folded_email: string
    email: string
    display_name: string | null
    /** The code that was shown; its entitlement is to be the user's. */
    activation_code_id: string | null
    /** A keyed hash of the token that confirms it. */
    token_hash: string
    expires_at: number
    created_at: number
  }
}
