export interface BalanceTables {
  /** The ledger: every movement of a balance, never changed. Amounts are signed decimals as text. */
  balance_entries: {
    id: string
    tenant_id: string
    entitlement_id: string
    meter_id: string
    kind: string
    amount: string
    balance_after: string
    occurred_at: number
    reference: string | null
    actor: string
    correlation_id: string
  }
}
