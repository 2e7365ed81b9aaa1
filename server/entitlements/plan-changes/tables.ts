export interface PlanChangeTables {
  /** Wishes of customers for another plan, and what became of them; of an entitlement one at most is Pending. */
  plan_change_requests: {
    id: string
    tenant_id: string
    entitlement_id: string
    user_id: string | null
    /** JSON: the plan that the entitlement was on when it was asked for another. */
    plan_before: string | null
    plan_set_id: string
    plan_set_name: string
    plan_id: string
    plan_name: string
    note: string | null
    status: 'Pending' | 'Approved' | 'Rejected'
    review_note: string | null
    /** Null while it is Pending, and when it was approved by itself. */
    reviewed_by: string | null
    reviewed_at: number | null
    created_at: number
  }
}
