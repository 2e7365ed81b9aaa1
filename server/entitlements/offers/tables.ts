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
    // What follows no snapshot has.
    customer_contact_email: string | null
    customer_contact_name: string | null
    subscription_status: string
    license_key: string | null
    is_anonymous_try: number
    converted_to_entitlement_id: string | null
    source_offer_id: string | null
    customer_id: string | null
    order_id: string | null
    customer_external_reference: string | null
    campaign_id: string | null
    /** Whether devices that hold no seat may get one. */
    activations_enabled: number
    /** JSON: its features as they were cloned and edited, before plan and add-ons; null on an offer. */
    own_features: string | null
    /** JSON: the plan and the add-ons that were applied, as they were then. */
    layers: string | null
    /** JSON: its features as they are in effect. */
    features: string | null
    activated_at: number | null
    period_started_at: number | null
    /** What the ends of its periods are counted from, so that one of 31 January is followed by 28 February and 31 March. */
    period_anchor_at: number | null
    trial_started_at: number | null
    trial_ends_at: number | null
    /** The end that an Expiring event was recorded for. */
    expiring_told_for: number | null
    trial_expiring_told_for: number | null
    /** When something about it is due by itself. */
    next_due_at: number | null
  }
}

/** An entitlement or an offer as it is stored; which of the two, is_offer says. */
export type EntitlementRow = OfferTables['entitlements']
