export interface RatingTables {
  ratings: {
    id: string
    tenant_id: string
    session_id: string
    user_id: string | null
    entitlement_id: string
    product_id: string
    /** Null for feedback on the product as a whole. */
    feature_id: string | null
    feature_code: string | null
    /** The campaign that asked; null when none did. */
    campaign_id: string | null
    /** 1 to 5; null for a comment alone. */
    rating: number | null
    remark: string | null
    created_at: number
  }
}
