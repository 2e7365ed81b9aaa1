import type { SelectQueryBuilder } from 'kysely'
import type { Readable, Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { no } from '../../kit/flags.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { rowHead, type Stamp } from '../../kit/records/stamp.ts'
import { type ListSource, writeRecords } from '../../kit/records/store.ts'
import { SealBroken, type Sealer } from '../../kit/sealing.ts'
import { listedFields } from './listed-fields.ts'
import type { Secret } from './secrets.ts'
import type { SubscriptionOrigin } from './status.ts'

export type SubscriptionRow = Tables['webhook_subscriptions']

/** A subscription with how it fares. */
export type FaringSubscription = SubscriptionRow &
  Pick<Tables['webhook_standings'], 'last_delivery_at' | 'consecutive_failures'>

type Named = Pick<SubscriptionRow, 'tenant_id' | 'id'>

const placeOf = (row: Named) => `webhook-secrets/${row.tenant_id}/${row.id}`

/**
 * A subscription's secrets, newest first, those that are past their time too; undefined where they do not open: they were
 * altered or moved in the database, or sealed with another master key.
 */
export function openSecrets(
  sealer: Sealer,
  row: Named & Pick<SubscriptionRow, 'sealed_secrets'>,
): Secret[] | undefined {
  try {
    return JSON.parse(sealer.open(row.sealed_secrets, placeOf(row))) as Secret[]
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    return undefined
  }
}

/** Why nothing can be signed for a subscription whose secrets do not open. */
export const unsealedSecrets = 'its secrets do not open: they were altered, or sealed with another master key'

/** The same sealed, as its row keeps them. */
export const sealSecrets = (sealer: Sealer, row: Named, secrets: readonly Secret[]): string =>
  sealer.seal(JSON.stringify(secrets), placeOf(row))

const faring = (read: Readable, tenantId: string) =>
  read
    .selectFrom('webhook_subscriptions')
    .innerJoin('webhook_standings', 'webhook_standings.subscription_id', 'webhook_subscriptions.id')
    .selectAll('webhook_subscriptions')
    .select(['webhook_standings.last_delivery_at', 'webhook_standings.consecutive_failures'])
    .where('webhook_subscriptions.tenant_id', '=', tenantId)

export const subscriptionSource: ListSource<FaringSubscription> = {
  table: 'webhook_subscriptions',
  fields: listedFields,
  rows: (read, tenantId) => faring(read, tenantId) as unknown as SelectQueryBuilder<Tables, never, FaringSubscription>,
}

/** A live subscription, of this origin if one is named; throws the not-found problem. */
export async function getSubscription(
  read: Readable,
  tenantId: string,
  id: string,
  origin?: SubscriptionOrigin,
): Promise<FaringSubscription> {
  const row = await faring(read, tenantId)
    .where('webhook_subscriptions.id', '=', id.toLowerCase())
    .where('webhook_subscriptions.is_deleted', '=', no)
    .executeTakeFirst()
  if (!row || (origin !== undefined && row.origin !== origin)) throw subscriptionNotFound()
  return row
}

export const subscriptionNotFound = () => recordNotFound('subscription')

/** How many live subscriptions a tenant has. */
export async function countSubscriptions(read: Readable, tenantId: string): Promise<number> {
  const { count } = await read
    .selectFrom('webhook_subscriptions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Begins to count how a new subscription fares. */
export async function insertStanding(tx: Tx, { id, tenant_id }: Named): Promise<void> {
  const standing = {
    subscription_id: id,
    tenant_id,
    last_delivery_at: null,
    consecutive_failures: 0,
    dead_letters_in_row: 0,
  }
  await tx.insertInto('webhook_standings').values(standing).execute()
}

type Changes = Partial<Pick<SubscriptionRow, 'status' | 'verified_at' | 'sealed_secrets'>>

/** Writes what of a subscription's own changes. */
export const changeSubscription = (tx: Tx, row: SubscriptionRow, changes: Changes, stamp: Stamp): Promise<void> =>
  writeRecords(tx, 'webhook_subscriptions', [{ ...row, ...rowHead(row.id, row, stamp), ...changes }])

/** A challenge that was passed ends the failures before it. */
export async function recordPassing(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('webhook_standings')
    .set({ consecutive_failures: 0, dead_letters_in_row: 0 })
    .where('subscription_id', '=', id)
    .execute()
}

/** Suspends an Active subscription until its endpoint passes a challenge again; answers whether it was Active. */
export async function suspendSubscription(tx: Tx, row: Named, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
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
    .where('is_deleted', '=', no)
    .where('status', '=', 'Active')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
