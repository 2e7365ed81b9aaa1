import type { Readable, Tx } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { no } from '../../kit/flags.ts'

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
  return standingOf(await userById(read, { tenantId, id: id.toLowerCase() }))
}

/** The same of a user whom nobody deletes or erases until the transaction ends: what names them then is found by whoever does. */
export async function lockUserStanding(tx: Tx, tenantId: string, id: string): Promise<UserStanding | undefined> {
  return standingOf(await lockedById(tx, { tenantId, id: id.toLowerCase() }))
}

type UserRow = Omit<UserStanding, 'emailVerified' | 'isDisabled'> & { emailVerified: number; isDisabled: number }

const standingOf = ([row]: readonly UserRow[]): UserStanding | undefined =>
  row && { ...row, emailVerified: row.emailVerified === 1, isDisabled: row.isDisabled === 1 }

const selectUser = (read: Readable, { tenantId, id }: { tenantId: string; id: string }) =>
  read
    .selectFrom('users')
    .select(['id', 'email', 'email_verified as emailVerified', 'is_disabled as isDisabled'])
    .where('id', '=', id)
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)

const userById = compileOnce(selectUser)
const lockedById = compileOnce((read, named: { tenantId: string; id: string }) => selectUser(read, named).forKeyShare())
