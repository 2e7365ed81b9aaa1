import { type SelectQueryBuilder, sql } from 'kysely'
import { foldText } from '../../../catalog-schema/folding.ts'
import { foldEmail } from '../../access/users/email-address.ts'
import type { UserStanding } from '../../access/users/standing.ts'
import type { Readable, Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import type { ColumnField } from '../../kit/filter/fields.ts'
import { no } from '../../kit/flags.ts'
import { isFoldedAmong } from '../../kit/folded-texts.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
import { takeName } from '../../kit/named-lock.ts'
import { recordNotFound } from '../../kit/problem.ts'
import type { Stamp } from '../../kit/records/stamp.ts'
import { type ListSource, softDelete } from '../../kit/records/store.ts'
import { type HeldSeats, heldSeats } from '../seats/held.ts'
import { codeFilterFields, codeTextName, ownCodeFilterFields } from './fields.ts'

export type CodeRow = Tables['activation_codes']

/** A code with the seats by it that are held now: `used_activations` counts those that have lapsed, too, until somebody next wants a seat. */
export type CodeRowNow = CodeRow & { held_activations: number }

/**
 * Codes, each with the seats by it that are held by now, and its status (the same as statusOf says), to filter and sort by.
 * A code's sessions are found by the index of devices: with what is counted as a condition of theirs, PostgreSQL goes
 * through all lapsed seats of the tenant instead.
 */
const codesAt = (read: Readable, now: number, isHeld: HeldSeats) =>
  read
    .selectFrom((eb) =>
      eb
        .selectFrom('activation_codes')
        .selectAll('activation_codes')
        .select(
          sql<number>`used_activations - cast((select count(case when ${isHeld} then null else 1 end) from license_sessions
where license_sessions.tenant_id = activation_codes.tenant_id and holder = 'code:' || activation_codes.id
and released_at is null and revoked_at is null and is_seated = 1) as integer)`.as('held_activations'),
        )
        .as('activation_codes'),
    )
    .selectAll('activation_codes')
    .select(
      sql<string>`case when revoked_at is not null then 'Revoked' when expires_at <= ${now} then 'Expired'
when use_entitlement_max_activations = 0 and held_activations >= max_device_activations then 'Exhausted'
when held_activations > 0 then 'Active' else 'Pending' end`.as('status'),
    )

/** The keys under which a code may be kept (lookup.ts). */
type KeysOf = (text: string) => readonly string[]

/** The code itself, of codes or, where a `column` has the code's id, of what came by it. */
export const codeTextField = (tenantId: string, keysOf: KeysOf, column = 'activation_codes.id'): ColumnField => ({
  name: codeTextName,
  only: 'filter',
  column,
  nullable: column !== 'activation_codes.id',
  type: 'sealed',
  isOneOf: (texts) => sql`${sql.ref(column)} in (select id from activation_codes as named
where named.tenant_id = ${tenantId} and named.lookup_key in (${sql.join(texts.flatMap(keysOf))}))`,
})

/** An entitlement's live codes. */
export const codeSource = (
  entitlementId: string,
  text: ColumnField,
  now: number,
  isHeld: HeldSeats,
): ListSource<CodeRowNow> => ({
  table: 'activation_codes',
  fields: [...codeFilterFields, text],
  only: sql<boolean>`activation_codes.entitlement_id = ${entitlementId}`,
  rows: (read) =>
    codesAt(read, now, isHeld).where('entitlement_id', '=', entitlementId) as unknown as SelectQueryBuilder<
      Tables,
      never,
      CodeRowNow
    >,
})

/** A code with what its entitlement is called; null where that is gone. */
type OwnCodeRow = CodeRowNow & { entitlement_name: string | null }

/** A user, and the entitlements that are assigned to them. */
type CodeHolder = Pick<UserStanding, 'id' | 'email' | 'emailVerified'> & { assigned: readonly string[] }

/**
 * The live codes that were issued to a user: for the user alone; to the user's address, once it is proved or where the
 * entitlement is assigned to the user; and those of such entitlements that were issued to nobody by name.
 */
export const ownCodeSource = (
  holder: CodeHolder,
  text: ColumnField,
  now: number,
  isHeld: HeldSeats,
): ListSource<OwnCodeRow> => ({
  table: 'activation_codes',
  fields: [...ownCodeFilterFields, text],
  rows: (read, tenantId) =>
    issuedTo(read, tenantId, holder, codesAt(read, now, isHeld)) as unknown as SelectQueryBuilder<
      Tables,
      never,
      OwnCodeRow
    >,
})

/**
 * The three kinds, which share no code: each is found by an index of its own, where one condition for them all uses none.
 * A list asks for the tenant once more, and SQLite hands that on into each kind: of two plain equalities it makes a way
 * through all codes of the tenant.
 */
function issuedTo(
  read: Readable,
  tenantId: string,
  { id, email, emailVerified, assigned }: CodeHolder,
  all: ReturnType<typeof codesAt>,
) {
  const codes = all
    .select((eb) =>
      eb
        .selectFrom('entitlements')
        .select('entitlements.name')
        .whereRef('entitlements.id', '=', 'activation_codes.entitlement_id')
        .where('entitlements.tenant_id', '=', tenantId)
        .where('entitlements.is_deleted', '=', no)
        .as('entitlement_name'),
    )
    .where(isTenants(read, tenantId))
  const forAnyone = codes.where('required_user_id', 'is', null)
  const isAssigned = isAmong(read, 'entitlement_id', listed(read, assigned))
  const addressed = forAnyone.where(isFoldedAmong('email', [...new Set([foldEmail(email), foldText(email)])]))
  return codes
    .where('required_user_id', '=', id)
    .unionAll(emailVerified ? addressed : addressed.where(isAssigned))
    .unionAll(forAnyone.where('email', 'is', null).where(isAssigned))
}

/** A live code of an entitlement as it is by now; throws the not-found problem. */
export async function getCode(
  read: Readable,
  tenantId: string,
  { entitlementId, id }: { entitlementId: string; id: string },
  now: number,
): Promise<CodeRowNow> {
  const row = await codesAt(read, now, await heldSeats(read, tenantId, now))
    .where('tenant_id', '=', tenantId)
    .where('entitlement_id', '=', entitlementId.toLowerCase())
    .where('id', '=', id.toLowerCase())
    .where('is_deleted', '=', no)
    .executeTakeFirst()
  if (!row) throw recordNotFound('activation code')
  return row
}

/**
 * The tenant's live codes under these keys, in no order; revoked and expired ones are among them. The literal 0 is what lets the index
 * of live keys be used.
 */
export const findCodes = (read: Readable, tenantId: string, keys: readonly string[]): Promise<CodeRow[]> =>
  liveByKey(read, { tenantId, keys: listed(read, keys) })

const liveByKey = compileOnce((read, { tenantId, keys }: { tenantId: string; keys: unknown }) =>
  read
    .selectFrom('activation_codes')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(isAmong(read, 'lookup_key', keys))
    .where('is_deleted', '=', no),
)

/**
 * The tenant's codes under these ids, deleted ones too, in no order. Whose they are is asked of the rows: in the query, SQLite would go
 * through all codes of the tenant rather than find a few by id.
 */
export async function readCodes(read: Readable, tenantId: string, ids: readonly string[]): Promise<CodeRow[]> {
  if (ids.length === 0) return []
  const rows = await everById(read, { ids: listed(read, ids) })
  return rows.filter((row) => row.tenant_id === tenantId)
}

const everById = compileOnce((read, { ids }: { ids: unknown }) =>
  read
    .selectFrom('activation_codes')
    .selectAll()
    .where(isAmong(read, 'id', ids)),
)

/**
 * PostgreSQL: who writes a code waits for whoever writes one that looks up alike, for the two may be kept under different keys;
 * the loosest of these, which they share, is what is asked for here.
 */
export const lockText = (tx: Tx, loosestKey: string): Promise<void> => takeName(tx, `activation-code/${loosestKey}`)

/** Writes a new code; false when another live one is kept under its key already. */
export async function insertCode(tx: Tx, row: CodeRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('activation_codes')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Ends new activations by a code; those that were made by it stay. Answers the row as it is then. */
export async function revokeCode(tx: Tx, row: CodeRowNow, { actor, now }: Stamp): Promise<CodeRowNow> {
  const revoked = await tx
    .updateTable('activation_codes')
    .set({ revoked_at: now, updated_at: now, updated_by: actor, revision_number: row.revision_number + 1 })
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...row, ...revoked }
}

/** Makes a code invisible for ever; the text is free again. */
export const deleteCode = (tx: Tx, row: CodeRow, stamp: Stamp) => softDelete(tx, 'activation_codes', stamp, [row.id])
