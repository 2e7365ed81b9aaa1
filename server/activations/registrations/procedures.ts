import { randomBytes } from 'node:crypto'
import { foldEmail } from '../../access/users/email-address.ts'
import type { RequestContext, WriteContext } from '../../kit/context.ts'
import type { InputOf } from '../../kit/contract.ts'
import { newId } from '../../kit/ids.ts'
import { toInstant } from '../../kit/instants.ts'
import { Problem } from '../../kit/problem.ts'
import { commitOnce, mutation, query, task } from '../../kit/procedure.ts'
import { findAdmittingCode } from '../admission/asking.ts'
import { keepPace } from '../admission/keeping-pace.ts'
import { confirmRegistration } from './confirming.ts'
import { registrationContracts } from './contract.ts'
import { confirmationLetter } from './letter.ts'
import { recordRegistration } from './limiting.ts'
import { forgetExpired, insertRegistration, listPending, type RegistrationRow } from './store.ts'

const goodForMillis = 24 * 3_600_000

/** Keeps a registration, and sends its token once that is committed; a repeated request sends no other. */
const register = task(registrationContracts.register, (context, body) =>
  keepPace(async () => {
    let token: string | undefined
    const answer = await commitOnce(registrationContracts.register, context, body, async (write) => {
      token = randomBytes(32).toString('base64url')
      return keepRegistration(write, body, token)
    })
    if (token !== undefined)
      context.mail?.send(confirmationLetter(body.email, context.tenant.name, token, answer.expiresAt))
    return answer
  }),
)

/** Counted is what is kept: neither a repeated request nor one that admission turns away. */
async function keepRegistration(
  context: WriteContext,
  { email, displayName, activationCode }: InputOf<typeof registrationContracts.register>,
  token: string,
) {
  const { tx, tenant, now } = context
  const codeId = activationCode == null ? null : await getAdmittingCode(context, activationCode)
  recordRegistration(context, email)
  await forgetExpired(tx, tenant.id, now)
  const row: RegistrationRow = {
    id: newId(),
    tenant_id: tenant.id,
    folded_email: foldEmail(email),
    email,
    display_name: displayName ?? null,
    activation_code_id: codeId,
    token_hash: hashOf(context, token),
    expires_at: now + goodForMillis,
    created_at: now,
  }
  await insertRegistration(tx, row)
  const expiresAt = toInstant(row.expires_at)
  return tenant.kind === 'Sandbox' ? { expiresAt, confirmationToken: token } : { expiresAt }
}

async function getAdmittingCode(context: WriteContext, text: string): Promise<string> {
  const codeId = await findAdmittingCode(context.tx, context, text)
  if (codeId !== undefined) return codeId
  throw new Problem('license.sign_up_not_admitted', 'The activation code admits no sign-up.')
}

const hashOf = ({ sealer, tenant }: RequestContext, token: string) =>
  sealer.hash(token, `registration-token/${tenant.id}`)

const confirm = mutation(registrationContracts.confirm, (context, { token }) =>
  confirmRegistration(context, registrationContracts.confirm.name, { token_hash: hashOf(context, token) }),
)

const confirmFor = mutation(registrationContracts.confirmFor, (context, { id }) =>
  confirmRegistration(context, registrationContracts.confirmFor.name, { id: id.toLowerCase() }),
)

const list = query(registrationContracts.list, async ({ read, tenant, now }, asked) => {
  const page = await listPending(read, tenant.id, now, asked)
  return { ...page, items: page.items.map(toWire) }
})

const toWire = ({ id, email, display_name, created_at, expires_at }: RegistrationRow) => ({
  ...{ id, email, displayName: display_name },
  createdAt: toInstant(created_at),
  expiresAt: toInstant(expires_at),
})

/** How people become users by themselves. */
export const registrations = { register, confirm }
/** What operators see and do of it. */
export const registrationAdministration = { list, confirm: confirmFor }
