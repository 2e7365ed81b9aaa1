import type { Readable, Tx } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { foldEmail, isSameMailbox } from './email-address.ts'
import type { UserRow } from './writing.ts'

/** Whom an outside OpenID issuer means by a subject of its own. */
export interface OutsideSubject {
  issuer: string
  subject: string
}

/** The user known by a subject of an outside issuer. */
export async function findUserIdBySubject(
  read: Readable,
  tenantId: string,
  { issuer, subject }: OutsideSubject,
): Promise<string | undefined> {
  const row = await read
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('subject', '=', subject)
    .where('issuer', '=', issuer)
    .where('is_deleted', '=', no)
    .executeTakeFirst()
  return row?.id
}

/**
 * The user with an address that was proved, letter case aside, and whether a subject may yet be bound: there is none, and the user is
 * not shut out.
 */
export async function findUserByEmail(
  read: Readable,
  tenantId: string,
  email: string,
): Promise<{ id: string; isUnbound: boolean } | undefined> {
  const row = await read
    .selectFrom('users')
    .select(['id', 'email', 'subject', 'is_disabled'])
    .where('tenant_id', '=', tenantId)
    .where('folded_email', '=', foldEmail(email))
    .where('is_deleted', '=', no)
    .executeTakeFirst()
  if (!row || !isSameMailbox(row.email, email)) return undefined
  return { id: row.id, isUnbound: row.subject === null && row.is_disabled === 0 }
}

/**
 * Makes a user whose address an outside issuer has verified known by its subject, if the user is known by none. Where another
 * user is known by it meanwhile, the database refuses the second.
 */
export async function bindSubject(
  tx: Tx,
  tenantId: string,
  { issuer, subject }: OutsideSubject,
  userId: string,
  now: number,
): Promise<void> {
  await tx
    .updateTable('users')
    .set((eb) => ({
      issuer,
      subject,
      email_verified: 1,
      updated_at: now,
      updated_by: `issuer:${issuer}`,
      revision_number: eb('revision_number', '+', 1),
    }))
    .where('id', '=', userId)
    .where('tenant_id', '=', tenantId)
    .where('subject', 'is', null)
    .where('is_disabled', '=', no)
    .where('is_deleted', '=', no)
    .execute()
}

/** The live user with a folded address, nobody else's to change until the transaction ends; undefined when there is none. */
export function lockUserByEmail(tx: Tx, tenantId: string, foldedEmail: string): Promise<UserRow | undefined> {
  return tx
    .selectFrom('users')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('folded_email', '=', foldedEmail)
    .where('is_deleted', '=', no)
    .forUpdate()
    .executeTakeFirst()
}
