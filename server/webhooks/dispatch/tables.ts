export interface DispatchTables {
  /** Which server process delivers to a subscription, until its time is over: then any may take it. */
  webhook_leases: {
    subscription_id: string
    tenant_id: string
    /** The process that has it; null before the first. */
    leased_by: string | null
    /** Milliseconds of the database's own clock. */
    leased_until: number
  }
}
