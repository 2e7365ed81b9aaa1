export interface PlanChangeTables {
  plan_change_requests: {
    id: string
    tenant_id: string
    entitlement_id: string
    user_id: string | null
    plan_set_id: string
    plan_name: string
    note: string | null
    status: 'Requested' | 'Approved' | 'Rejected'
    review_note: string | null
    reviewed_by: string | null
    reviewed_at: number | null
    created_at: number
  }
}
