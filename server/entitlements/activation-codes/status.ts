import type { ActivationCodeTables } from './tables.ts'

type Row = ActivationCodeTables['activation_codes']

export const codeStatuses = ['Pending', 'Active', 'Exhausted', 'Expired', 'Revoked'] as const

/** How many devices may hold a seat by the code at the same time; null where only the entitlement's own limit counts. */
export const ownLimitOf = (
  row: Pick<Row, 'max_device_activations' | 'use_entitlement_max_activations'>,
): number | null => (row.use_entitlement_max_activations === 1 ? null : row.max_device_activations)

/** How a code stands: Pending while no device holds a seat by it, Active while some do. It expires at its very instant. */
export function statusOf(row: Row & { held_activations: number }, now: number): (typeof codeStatuses)[number] {
  if (row.revoked_at !== null) return 'Revoked'
  if (row.expires_at !== null && row.expires_at <= now) return 'Expired'
  if (row.held_activations >= (ownLimitOf(row) ?? Number.POSITIVE_INFINITY)) return 'Exhausted'
  return row.held_activations > 0 ? 'Active' : 'Pending'
}
