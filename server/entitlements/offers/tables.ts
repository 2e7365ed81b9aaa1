import type { RecordRow } from '../../kit/records/record-row.ts'

export interface OfferTables {
  entitlements: RecordRow & {
    is_offer: number
    name: string | null
    version: string | null
    description: string | null
    legal_notice_html: string | null
    status: string
    issue_on_user_registration: number
    allow_anonymous_try: number
    is_entitlement_trial: number
    not_valid_before_date_time: number | null
    expiration_date_time: number | null
    reference: string | null
    external_reference: string | null
    metadata: string | null
    assigned_plan_set_id: string | null
    assigned_plan_name: string | null
    /** JSON: [{ productId, features }]. */
    products: string
    activation_policy: string | null
    license_policy: string | null
    trial_policy: string | null
    anonymous_try_policy: string | null
    renewal_policy: string | null
    key_issuance_policy: string | null
  }
}
