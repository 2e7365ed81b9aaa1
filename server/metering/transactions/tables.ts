export interface TransactionTables {
  /** The records that applications uploaded, as they came. */
  usage_transactions: {
    /** The session, or the entitlement where a record names none. */
    scope_id: string
    transaction_id: number
    tenant_id: string
    entitlement_id: string
    session_id: string | null
    api_version: number | null
    created_at: number | null
    event_name: string
    event_data: string
    occurred_at: number | null
    /** What it was counted by, and how much; null of an event that counts nothing. */
    meter_id: string | null
    amount: string | null
    received_at: number
  }
  /** The highest id that was rejected, of each session or entitlement that records were rejected of. */
  usage_rejections: {
    scope_id: string
    tenant_id: string
    highest: number
  }
}
