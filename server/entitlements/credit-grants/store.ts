import { type SelectQueryBuilder, sql } from 'kysely'
import type { Readable, Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { ColumnField } from '../../kit/filter/fields.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { listRows } from '../../kit/records/plain-list.ts'
import { grantStatuses } from './status.ts'

export type GrantRow = Tables['credit_grants']

const column = (name: string, column: string) => ({ name, column: `credit_grants.${column}`, nullable: false })

/** What a list of grants is filtered and sorted by; the id tells them apart. */
export const grantFilterFields: readonly [ColumnField, ...ColumnField[]] = [
  { ...column('id', 'id'), type: 'uuid' },
  { ...column('metric', 'metric_name'), type: 'text' },
  { ...column('amount', 'amount'), type: 'amount' },
  { ...column('expiresAt', 'expires_at'), type: 'instant', nullable: true },
  { ...column('createdAt', 'created_at'), type: 'instant' },
  { ...column('status', 'status'), type: 'enum', values: grantStatuses },
  { ...column('redeemedAt', 'redeemed_at'), type: 'instant', nullable: true },
  { ...column('redeemedBy', 'redeemed_by'), type: 'uuid', nullable: true },
]

/** A page of an entitlement's grants, the first made first unless a sortOrder says otherwise. */
export const listGrants = (read: Readable, tenantId: string, entitlementId: string, now: number, query: ListQuery) =>
  listRows(grantsOf(read, tenantId, entitlementId, now), grantFilterFields, 'createdAt', query)

/** Each with its status by now (the same as statusOf says), to filter and sort by. */
const grantsOf = (read: Readable, tenantId: string, entitlementId: string, now: number) =>
  read.selectFrom(
    read
      .selectFrom('credit_grants')
      .selectAll()
      .select([
        sql<string>`case when redeemed_at is not null then 'Redeemed' when expires_at <= ${now} then 'Expired' else 'Open' end`.as(
          'status',
        ),
      ])
      .where('tenant_id', '=', tenantId)
      .where('entitlement_id', '=', entitlementId)
      .as('credit_grants'),
  ) as unknown as SelectQueryBuilder<Tables, 'credit_grants', object>

/** Keeps a new grant. */
export const insertGrant = async (tx: Tx, row: GrantRow): Promise<void> =>
  void (await tx.insertInto('credit_grants').values(row).execute())

const ofTenant = (read: Readable, tenantId: string) =>
  read.selectFrom('credit_grants').selectAll().where('tenant_id', '=', tenantId)

const locked = (tx: Tx, tenantId: string) => ofTenant(tx, tenantId).forUpdate()

/** The grant that is found by a code's key, nobody else's to change until the transaction ends; undefined when there is none. */
export const lockGrantByKey = (tx: Tx, tenantId: string, key: string): Promise<GrantRow | undefined> =>
  locked(tx, tenantId).where('lookup_key', '=', key).executeTakeFirst()

/** A grant of an entitlement; throws the not-found problem. */
export async function getGrant(read: Readable, tenantId: string, entitlementId: string, id: string): Promise<GrantRow> {
  const row = await ofTenant(read, tenantId)
    .where('entitlement_id', '=', entitlementId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw recordNotFound('credit grant')
  return row
}

/** A grant of an entitlement, nobody else's to change until the transaction ends; throws the not-found problem. */
export async function lockGrant(tx: Tx, tenantId: string, entitlementId: string, id: string): Promise<GrantRow> {
  const row = await locked(tx, tenantId)
    .where('entitlement_id', '=', entitlementId)
    .where('id', '=', id.toLowerCase())
    .executeTakeFirst()
  if (!row) throw recordNotFound('credit grant')
  return row
}

/** Leaves a grant redeemed, for ever. */
export const recordRedemption = async (
  tx: Tx,
  { tenant_id, id }: GrantRow,
  by: { now: number; userId: string },
): Promise<void> =>
  void (await tx
    .updateTable('credit_grants')
    .set({ redeemed_at: by.now, redeemed_by: by.userId })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute())

/** Forgets a grant. */
export const deleteGrant = async (tx: Tx, { tenant_id, id }: GrantRow): Promise<void> =>
  void (await tx.deleteFrom('credit_grants').where('tenant_id', '=', tenant_id).where('id', '=', id).execute())
