export interface CreditGrantTables {
  /** Credits that wait to be redeemed by a code, which is kept as its keyed hash alone. Amounts are decimals as text. */
  credit_grants: {
    id: string
    tenant_id: string
    entitlement_id: string
    metric_name: string
    amount: string
    lookup_key: string
    expires_at: number | null
    created_at: number
    created_by: string
    redeemed_at: number | null
    redeemed_by: string | null
  }
}
