import type { WriteContext } from '../../kit/context.ts'
import { invalid } from '../../kit/problem.ts'
import { userKind } from './contract.ts'
import { foldEmail } from './email-address.ts'
import type { UserTables } from './tables.ts'

export type UserRow = UserTables['users']
type User = ReturnType<typeof userKind.toItem>

/** Writes what a body makes of a user, or a new one; throws the validation problem for an issuer without a subject, and the duplicate-key problem for an address or subject that another has. */
export async function writeUser(context: WriteContext, body: object, row?: UserRow): Promise<UserRow> {
  const before = row && { row, item: userKind.toItem(row, {}) }
  const item = withProof(userKind.read(body, before?.item), body, before?.item)
  if ((item.issuer === null) !== (item.subject === null))
    throw invalid([
      { pointer: item.issuer === null ? '/issuer' : '/subject', message: 'issuer and subject are told together' },
    ])
  return userKind.write(context, item, before, { folded_email: foldEmail(item.email) })
}

/** A new address is not known to be theirs, unless the request says so. */
const withProof = (item: User, body: { emailVerified?: boolean | null }, before: User | undefined): User =>
  before && foldEmail(before.email) !== foldEmail(item.email) && body.emailVerified == null
    ? { ...item, emailVerified: false }
    : item
