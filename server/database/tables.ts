import type { ClientTables } from '../access/clients/tables.ts'
import type { SigningKeyTables } from '../access/signing-keys/tables.ts'
import type { TenantTables } from '../access/tenants/tables.ts'
import type { CatalogTables } from '../catalog/tables.ts'
import type { OfferTables } from '../entitlements/offers/tables.ts'
import type { SnapshotTables } from '../snapshot/tables.ts'

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
  }
  installation: { name: string; value: string }
}

/** Every table: the sum of what the rooms own. */
export type Tables = IdempotencyTables &
  TenantTables &
  ClientTables &
  SigningKeyTables &
  CatalogTables &
  OfferTables &
  SnapshotTables
