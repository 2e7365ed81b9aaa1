import type { DeliveryStatus } from './status.ts'

/** All instants are milliseconds of the tenant's clock. */
export interface DeliveryTables {
  /** An event on its way to a subscription. */
  webhook_deliveries: {
    id: string
    tenant_id: string
    subscription_id: string
    event_id: string
    event_type: string
    status: DeliveryStatus
    /** How many were made of the budget that is running. */
    attempts: number
    /** When the first of them was made; null before. */
    budget_started_at: number | null
    /** When the next is due; null when it is over. */
    next_attempt_at: number | null
    /** When its event happened, and so found by the event. */
    created_at: number
    /** When it was delivered or given up; null while it is pending. */
    ended_at: number | null
  }
  /** Every attempt of a delivery, for ever as long as the delivery is kept. */
  webhook_attempts: {
    delivery_id: string
    id: string
    tenant_id: string
    /** Which of its budget: the webhook-delivery-attempt that was sent. */
    attempt: number
    attempted_at: number
    latency_millis: number
    /** The HTTP status of the answer; null without one. */
    status: number | null
    /** What went wrong when it failed. */
    error: string | null
    /** The first 2 KiB of the answer's body. */
    response_excerpt: string | null
  }
}
