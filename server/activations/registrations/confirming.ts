import { foldEmail, isSameMailbox } from '../../access/users/email-address.ts'
import { lockUserByEmail } from '../../access/users/subjects.ts'
import { type UserRow, writeUser } from '../../access/users/writing.ts'
import { keepCatalog } from '../../catalog/records/revision.ts'
import { issueOnRegistration } from '../../entitlements/cloning/registering.ts'
import { assignByCode } from '../../entitlements/principals/assignments.ts'
import { causeOf } from '../../kit/cause.ts'
import type { WriteContext } from '../../kit/context.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { attempt } from '../../kit/savepoint.ts'
import { recordConfirmed } from './recording.ts'
import { deleteRegistrations, lockPending } from './store.ts'

/**
 * Makes a user of whoever registered, their address verified, with what offers and the code give; every registration of the
 * address is used up, and the audit log told by this operation's name. Throws the not-found problem where none is found, or
 * the user was shut out.
 */
export async function confirmRegistration(
  context: WriteContext,
  operation: string,
  by: { id: string } | { token_hash: string },
) {
  const { tx, tenant, now } = context
  const registration = await lockPending(tx, tenant.id, by, now)
  if (!registration) throw notFound()
  const { before, user } = await becomeUser(context, registration.email, registration.display_name)
  // What offers are cloned for the user stays as it is meanwhile.
  await keepCatalog(tx, tenant.id)
  const cause = causeOf(context)
  const issued = await issueOnRegistration(cause, user.id)
  const { activation_code_id: codeId } = registration
  const ofCode = codeId === null ? undefined : await assignByCode(cause, codeId, user.id)
  const entitlementIds = [...issued, ...(ofCode === undefined ? [] : [ofCode])]
  await deleteRegistrations(tx, tenant.id, registration.folded_email)
  await recordConfirmed(context, operation, { before, user, issued, entitlementIds })
  return { userId: user.id, email: user.email, entitlementIds }
}

const notFound = () => recordNotFound('registration that can be confirmed')

/** The user with this address, verified, and as it was before; a new one where there was none, and nobody else makes one at the same moment. */
async function becomeUser(
  context: WriteContext,
  email: string,
  displayName: string | null,
): Promise<{ before?: UserRow; user: UserRow }> {
  const findKnown = () => lockUserByEmail(context.tx, context.tenant.id, foldEmail(email))
  let known = await findKnown()
  if (!known) {
    const made = await attempt(context.tx, () => writeUser(context, { email, emailVerified: true, displayName }))
    if ('answer' in made) return { user: made.answer }
    known = await findKnown()
    if (!known) throw made.refusal
  }
  if (known.is_disabled === 1 || !isSameMailbox(known.email, email)) throw notFound()
  const user = known.email_verified === 1 ? known : await writeUser(context, { emailVerified: true }, known)
  return { before: known, user }
}
