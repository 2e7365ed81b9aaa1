import type { RecordRow } from '../../kit/records/record-row.ts'

export interface UserTables {
  users: RecordRow & {
    email: string
    /** The address without regard to case, by which a user is found. */
    folded_email: string
    email_verified: number
    display_name: string | null
    /** The outside OpenID issuer whose subject this is; both or neither. */
    issuer: string | null
    subject: string | null
    external_reference: string | null
    is_disabled: number
    metadata: string | null
  }
}
