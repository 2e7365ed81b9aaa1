import type { Readable, Tx } from '../../database/database.ts'
import { foldEmail } from './email-address.ts'

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
    .where('is_deleted', '=', 0)
    .executeTakeFirst()
  return row?.id
}

/**
 * Makes the user with an address that an outside issuer has verified known by its subject, if there is one who is not known
 * by any; from then on the address matters no more.
 */
export async function bindSubject(
  tx: Tx,
  tenantId: string,
  { issuer, subject }: OutsideSubject,
  verifiedEmail: string,
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
    .where('tenant_id', '=', tenantId)
    .where('folded_email', '=', foldEmail(verifiedEmail))
    .where('subject', 'is', null)
    .where('is_disabled', '=', 0)
    .where('is_deleted', '=', 0)
    .execute()
}
