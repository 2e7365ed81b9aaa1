export interface RegisteredOfferTables {
  /** Which offers a user was given an entitlement of by registering: each once. */
  registered_offers: { tenant_id: string; user_id: string; offer_id: string; issued_at: number }
}
