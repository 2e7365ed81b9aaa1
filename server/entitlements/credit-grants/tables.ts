export interface CreditGrantTables {
  /** Credits that wait to be redeemed by a code; the code is sealed and found by its keyed hash. */
  credit_grants: {
    id: string
    tenant_id: string
    entitlement_id: string
    metric_name: string
    amount: string
    lookup_key: string
    sealed_code: string
    expires_at: number | null
    created_at: number
    created_by: string
    redeemed_at: number | null
    redeemed_by: string | null
  }
}
