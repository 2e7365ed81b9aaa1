export interface DataSubjectRequestTables {
  data_subject_requests: {
    id: string
    tenant_id: string
    user_id: string
    kind: 'Access' | 'Erasure' | 'Rectification'
    note: string | null
    status: 'Filed' | 'Approved' | 'Rejected' | 'Completed'
    review_note: string | null
    reviewed_by: string | null
    reviewed_at: number | null
    completed_at: number | null
    created_at: number
  }
}
