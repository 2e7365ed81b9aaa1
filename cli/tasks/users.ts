import { type ChosenEnvironment, environmentName, envWords } from '../environments/choosing.ts'
import { Problem } from '../problems.ts'
import { duringPhase } from '../progress.ts'
import { isRecordId } from '../record-ids.ts'
import { shellWord } from '../shell-word.ts'
import { holdsText, isText } from '../sieve-terms.ts'
import { tenantNow } from '../tenant-clock.ts'
import { type Seat, sessionsReadScope, toSeat } from './seats.ts'
import { type AdminClient, adminClient, isNoSuch, listFirst, type User } from './tenant-records.ts'

const readScope = 'admin.users:read'

/** The users, or those whose e-mail address, name or reference holds a text; the newest first, at most `limit`, and how many there are. */
export async function listUsers(
  environment: ChosenEnvironment,
  text: string | undefined,
  limit: number,
): Promise<{ items: User[]; total: number }> {
  const { list } = adminClient(environment, readScope).users
  const filter = text?.trim() ? { filter: holdsText(['email', 'displayName', 'externalReference'], text) } : {}
  return duringPhase(`Reading the users from ${environmentName(environment)}`, () =>
    listFirst(limit, (page) => list.query({ ...filter, sortOrder: '-createdAt', ...page })),
  )
}

/** Who a new user is. */
export interface UserWish {
  email: string
  emailVerified: boolean
  displayName?: string
  externalReference?: string
}

/** Makes a user. Raises catalog.duplicate_key, with how to see whose the address is, where there is one already. */
export const createUser = (environment: ChosenEnvironment, wish: UserWish): Promise<User> =>
  duringPhase(`Making a user in ${environmentName(environment)}`, () =>
    adminClient(environment, 'admin.users:create')
      .users.create.mutate(wish)
      .catch((error: unknown) => {
        if (!(error instanceof Problem) || error.codeName !== 'catalog.duplicate_key') throw error
        const hint = `licet user show ${shellWord(wish.email)}${envWords(environment.name)}`
        throw new Problem(error.codeName, error.message, { ...error.details, hint })
      }),
  )

/** A user, by id or by the whole e-mail address, with the sessions the user has activated, the latest used first. Raises cli.input for none. */
export async function showUser(
  environment: ChosenEnvironment,
  named: string,
  limit: number,
): Promise<{ user: User; sessions: Seat[]; more: boolean }> {
  const client = adminClient(environment, readScope, sessionsReadScope)
  return duringPhase(`Reading from ${environmentName(environment)}`, async () => {
    const user = await getUser(client, named)
    const { items, total } = await listFirst(limit, (page) =>
      client.sessions.listByUser.query({ userId: user.id, sortOrder: '-lastAccessTime', ...page }),
    )
    const now = tenantNow()
    return { user, sessions: items.map((session) => toSeat(session, null, now)), more: total > items.length }
  })
}

/** Assigns an entitlement to a user, or takes it away again; assigning twice is once. Raises cli.input where there is nothing to take. */
export async function assignUser(
  environment: ChosenEnvironment,
  named: string,
  entitlementId: string,
  isAssigned: boolean,
): Promise<User> {
  const client = adminClient(environment, readScope, `admin.entitlements:${isAssigned ? 'update' : 'delete'}`)
  return duringPhase(`Changing it in ${environmentName(environment)}`, async () => {
    const user = await getUser(client, named)
    const { assign, remove } = client.entitlements.principals
    const wish = { id: entitlementId, principalId: user.id }
    try {
      await (isAssigned ? assign.mutate(wish) : remove.mutate(wish))
    } catch (error) {
      if (!isNoSuch('principal of this entitlement', error)) throw error
      throw new Problem('cli.input', `${user.email} is not assigned to the entitlement ${entitlementId}.`)
    }
    return user
  })
}

async function getUser({ users }: AdminClient, named: string): Promise<User> {
  if (isRecordId(named)) return users.get.query({ id: named })
  const [user] = (await users.list.query({ filter: isText(['email'], named), pageSize: 1 })).items
  if (user) return user
  throw new Problem('cli.input', `No user has the e-mail address "${named}".`, { hint: 'licet user list TEXT' })
}
