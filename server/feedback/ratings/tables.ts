export interface RatingTables {
  ratings: {
    id: string
    tenant_id: string
    session_id: string
    user_id: string | null
    entitlement_id: string
    product_id: string
    /** The feature's entry in the catalog; null where it has none, and for feedback on the product as a whole. */
    feature_id: string | null
    /** Null for feedback on the product as a whole. */
    feature_code: string | null
    /** 1 to 5; null for a comment alone. */
    rating: number | null
    remark: string | null
    created_at: number
  } /** What was rated while a campaign asked about it. */
  campaign_ratings: {
    tenant_id: string
    campaign_id: string
    rating_id: string
  }
}
