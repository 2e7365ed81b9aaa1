import type { WriteContext } from '../../kit/context.ts'
import { invalid } from '../../kit/problem.ts'
import { refuseTaken } from '../../kit/records/taken.ts'
import { userKind } from './contract.ts'
import { foldEmail, isSameMailbox } from './email-address.ts'
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
  await refuseTakenUser(context, item, before)
  return userKind.write(context, item, before, { folded_email: foldEmail(item.email) })
}

/** Refuses a new address or subject that another user has. */
async function refuseTakenUser(
  context: WriteContext,
  { email, issuer, subject }: User,
  before: { row: UserRow; item: User } | undefined,
): Promise<void> {
  const folded_email = foldEmail(email)
  const ownId = before?.row.id
  if (before?.row.folded_email !== folded_email)
    await refuseTaken(context, 'users', { folded_email }, 'a user with this e-mail address', ownId)
  if (issuer === null || subject === null) return
  if (before?.item.issuer === issuer && before.item.subject === subject) return
  await refuseTaken(context, 'users', { subject, issuer }, 'a user with this subject of this issuer', ownId)
}

/** A new address is not known to be theirs, unless the request says so. */
const withProof = (item: User, body: { emailVerified?: boolean | null }, before: User | undefined): User =>
  before && !isSameMailbox(before.email, item.email) && body.emailVerified == null
    ? { ...item, emailVerified: false }
    : item
