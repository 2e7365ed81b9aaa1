import type { ClientTables } from '../access/clients/tables.ts'
import type { OrganizationGroupTables } from '../access/organization-groups/tables.ts'
import type { SettingsTables } from '../access/settings/tables.ts'
import type { SigningKeyTables } from '../access/signing-keys/tables.ts'
import type { TenantTables } from '../access/tenants/tables.ts'
import type { UserTables } from '../access/users/tables.ts'
import type { OfflineTables } from '../activations/offline/tables.ts'
import type { RegistrationTables } from '../activations/registrations/tables.ts'
import type { SessionTables } from '../activations/sessions/tables.ts'
import type { CatalogTables } from '../catalog/tables.ts'
import type { ActivationCodeTables } from '../entitlements/activation-codes/tables.ts'
import type { CampaignTables } from '../entitlements/campaigns/tables.ts'
import type { RegisteredOfferTables } from '../entitlements/cloning/tables.ts'
import type { CreditGrantTables } from '../entitlements/credit-grants/tables.ts'
import type { CustomerTables } from '../entitlements/customers/tables.ts'
import type { EntitlementTables } from '../entitlements/entitlements/tables.ts'
import type { OfferTables } from '../entitlements/offers/tables.ts'
import type { PlanChangeTables } from '../entitlements/plan-changes/tables.ts'
import type { PrincipalTables } from '../entitlements/principals/tables.ts'
import type { FeedbackTables } from '../feedback/items/tables.ts'
import type { RatingCampaignTables } from '../feedback/rating-campaigns/tables.ts'
import type { RatingTables } from '../feedback/ratings/tables.ts'
import type { BalanceTables } from '../metering/balances/tables.ts'
import type { ConsumptionTables } from '../metering/consumption/tables.ts'
import type { MeterTables } from '../metering/meters/tables.ts'
import type { TransactionTables } from '../metering/transactions/tables.ts'
import type { DataSubjectRequestTables } from '../privacy/data-subject-requests/tables.ts'
import type { SnapshotTables } from '../snapshot/tables.ts'
import type { DeliveryTables } from '../webhooks/deliveries/tables.ts'
import type { DispatchTables } from '../webhooks/dispatch/tables.ts'
import type { SubscriptionTables } from '../webhooks/subscriptions/tables.ts'

/** Answers kept for replay (kit/idempotency.ts). */
interface IdempotencyTables {
  idempotency_records: {
    tenant_id: string
    caller: string
    operation: string
    idempotency_key: string
    fingerprint: string
    sealed_answer: string | null
    recorded_at: number
    /** Replayed for ever, not for a day. */
    is_kept: number
  }
  installation: { name: string; value: string }
}

/** What happened, for those who are told (kit/outbox.ts). */
interface OutboxTables {
  events: {
    id: string
    tenant_id: string
    type: string
    entity_kind: string
    entity_id: string
    subject: string
    event_version: number
    occurred_at: number
    actor: string
    correlation_id: string
    data: string
  }
  /** The events that were not handed to the subscriptions that want them yet: in a table of its own, since theirs is wide. */
  undispatched_events: {
    event_id: string
    tenant_id: string
  }
}

/** Who changed what (kit/audit.ts). */
interface AuditTables {
  audit_entries: {
    id: string
    tenant_id: string
    occurred_at: number
    actor: string
    operation: string
    record_kind: string
    record_id: string | null
    correlation_id: string
    /** JSON: the record as it was answered before; null when it was made. */
    before: string | null
    /** JSON: the same after; null when it was deleted. */
    after: string | null
  }
}

/** Every table: the sum of what the rooms own. */
export type Tables = IdempotencyTables &
  OutboxTables &
  TenantTables &
  SettingsTables &
  UserTables &
  OrganizationGroupTables &
  ClientTables &
  SigningKeyTables &
  CatalogTables &
  MeterTables &
  ConsumptionTables &
  BalanceTables &
  TransactionTables &
  CustomerTables &
  CampaignTables &
  OfferTables &
  EntitlementTables &
  PrincipalTables &
  ActivationCodeTables &
  CreditGrantTables &
  RegisteredOfferTables &
  SessionTables &
  OfflineTables &
  SnapshotTables &
  SubscriptionTables &
  DeliveryTables &
  DispatchTables &
  FeedbackTables &
  RatingCampaignTables &
  RatingTables &
  PlanChangeTables &
  RegistrationTables &
  DataSubjectRequestTables &
  AuditTables
