import type { Readable } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'

/** What is known of a user who is there: whether the address is proved, and whether the vendor has shut the user out. */
export interface UserStanding {
  id: string
  email: string
  emailVerified: boolean
  isDisabled: boolean
}

/** The standing of a tenant's user at this moment; undefined for one who never was, was deleted, or is another tenant's. */
export async function findUserStanding(
  read: Readable,
  tenantId: string,
  id: string,
): Promise<UserStanding | undefined> {
  const [row] = await userById(read, { tenantId, id: id.toLowerCase() })
  return row && { ...row, emailVerified: row.emailVerified === 1, isDisabled: row.isDisabled === 1 }
}

const userById = compileOnce((read, { tenantId, id }: { tenantId: string; id: string }) =>
  read
    .selectFrom('users')
    .select(['id', 'email', 'email_verified as emailVerified', 'is_disabled as isDisabled'])
    .where('id', '=', id)
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', 0),
)
