export interface FeedbackTables {
  feedback_items: {
    id: string
    tenant_id: string
    kind: 'FeatureRequest' | 'ProblemReport' | 'GeneralComment'
    body: string
    product_id: string | null
    feature_code: string | null
    user_id: string | null
    session_id: string | null
    device_name: string | null
    reply_to: string | null
    status: 'New' | 'Accepted' | 'Declined' | 'Duplicate'
    reviewed_by: string | null
    reviewed_at: number | null
    note: string | null
    duplicate_of_id: string | null
    created_at: number
  }
}
