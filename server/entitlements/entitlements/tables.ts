/** What belongs to an entitlement beside its own row, which offers and entitlements share. */
export interface EntitlementTables {
  entitlement_products: { tenant_id: string; product_id: string; entitlement_id: string }
  entitlement_add_ons: { tenant_id: string; add_on_id: string; entitlement_id: string }
  /** How many seats sessions hold. A row is there as long as its entitlement; whoever takes or frees a seat locks it. */
  seat_counts: {
    entitlement_id: string
    tenant_id: string
    taken: number
    /** Whether the sessions' `seat_until` follow from the entitlement's present model and timeout. */
    is_reckoned: number
  }
}
