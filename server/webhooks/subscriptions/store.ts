import type { Tx } from '../../database/database.ts'
import type { Sealer } from '../../kit/sealing.ts'
import type { Secret } from './secrets.ts'
import type { SubscriptionTables } from './tables.ts'

export type SubscriptionRow = SubscriptionTables['webhook_subscriptions']

const placeOf = (row: Pick<SubscriptionRow, 'tenant_id' | 'id'>) => `webhook-secrets/${row.tenant_id}/${row.id}`

/** A subscription's secrets, newest first, those that are past their time too. */
export const openSecrets = (
  sealer: Sealer,
  row: Pick<SubscriptionRow, 'tenant_id' | 'id' | 'sealed_secrets'>,
): Secret[] => JSON.parse(sealer.open(row.sealed_secrets, placeOf(row))) as Secret[]

/** The same sealed, as its row keeps them. */
export const sealSecrets = (
  sealer: Sealer,
  row: Pick<SubscriptionRow, 'tenant_id' | 'id'>,
  secrets: readonly Secret[],
): string => sealer.seal(JSON.stringify(secrets), placeOf(row))

/** Suspends an Active subscription until its endpoint passes a challenge again. */
export async function suspendSubscription(
  tx: Tx,
  row: Pick<SubscriptionRow, 'tenant_id' | 'id'>,
  now: number,
): Promise<void> {
  await tx
    .updateTable('webhook_subscriptions')
    .set((eb) => ({
      status: 'Suspended' as const,
      verified_at: null,
      updated_at: now,
      updated_by: 'dispatcher',
      revision_number: eb('revision_number', '+', 1),
    }))
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.id)
    .where('is_deleted', '=', 0)
    .where('status', '=', 'Active')
    .execute()
}
