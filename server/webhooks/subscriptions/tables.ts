import type { RecordRow } from '../../kit/records/record-row.ts'
import type { SignatureProfile } from '../signing/signature.ts'
import type { SubscriptionOrigin, SubscriptionStatus } from './status.ts'

export interface SubscriptionTables {
  webhook_subscriptions: RecordRow & {
    name: string
    url: string
    /** JSON: patterns of event types. */
    event_types: string
    /** JSON: `SubscriptionFilter` (matching.ts). */
    filter: string
    /** JSON: scope names. */
    callback_scopes: string
    signature_profile: SignatureProfile
    origin: SubscriptionOrigin
    status: SubscriptionStatus
    /** When its endpoint passed the challenge; null when it must pass one (again) before anything is sent. */
    verified_at: number | null
    /** Sealed JSON: the secrets that sign, newest first (secrets.ts). */
    sealed_secrets: string
  }
  /** How a subscription fares, as deliveries leave it: one row each, made with it. */
  webhook_standings: {
    subscription_id: string
    tenant_id: string
    /** When an endpoint last took a delivery. */
    last_delivery_at: number | null
    /** Attempts that failed since. */
    consecutive_failures: number
    /** Dead letters since. */
    dead_letters_in_row: number
  }
}
