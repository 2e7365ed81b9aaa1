export interface ConsumptionTables {
  /** How each meter stands: made with it, and locked by whoever decides by it. Amounts are decimals as text, times milliseconds. */
  meter_states: {
    meter_id: string
    tenant_id: string
    entitlement_id: string
    /** Whether its product was detached. */
    is_closed: number
    /** The revision of the meter at which its definition is as it is. */
    definition_revision: number
    /** Of the period, or since ever where there is none. */
    usage: string
    /** Null before anything was counted, and for Lifetime. */
    period_start: number | null
    /** JSON: what happened in which tier of the period (tiers/ruling.ts `TierMarks`). */
    tier_marks: string
    /** JSON: what is held (consumption/meter.ts `Hold`). */
    holds: string
    /** The level that was last reported, of the tier or of the band; null until the meter is first looked at. */
    level: string | null
    suspended_until: number | null
    /** Null until the balance is opened. */
    total_credits: string | null
    credits_used: string
    cumulative_credits_used: string
    unfunded_credits: string
    /** The most initial credits that were ever given. */
    initial_credits_given: string
    last_unfunded_at: number | null
    last_deposit_at: number | null
    last_auto_balance_at: number | null
    /** When time changes it next by itself. */
    due_at: number | null
  }
  /** The periods of a meter that are over, for usage that comes late. */
  usage_periods: {
    meter_id: string
    period_start: number
    tenant_id: string
    usage: string
    tier_marks: string
  }
  /** What was decided under each idempotentKey, for ever. */
  usage_decisions: {
    /** The entitlement and the key. */
    lookup: string
    tenant_id: string
    /** What was asked, by which a replay is told from another request. */
    asked: string
    /** JSON: the decision. */
    answer: string
  }
  usage_holds: {
    id: string
    tenant_id: string
    entitlement_id: string
    session_id: string
    meter_id: string
    amount: string
    expires_at: number
    /** Open, Settled, Released; one past `expires_at` has lapsed whatever it says. */
    status: string
    settled_amount: string | null
    /** JSON: how it was settled or released. */
    answer: string | null
  }
}
