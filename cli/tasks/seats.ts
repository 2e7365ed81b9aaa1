import { type ChosenEnvironment, environmentName } from '../environments/choosing.ts'
import { duringPhase } from '../progress.ts'
import { isOneOf } from '../sieve-terms.ts'
import { tenantNow } from '../tenant-clock.ts'
import { type AdminClient, adminClient, type Entitlement, listFirst, type Session } from './tenant-records.ts'

/** A license session without the activation code that opened it, and why it is not valid now; null when it is. */
export type Seat = Omit<Session, 'activationCode'> & { notValidBecause: string | null }

/** The scope that reading sessions needs. */
export const sessionsReadScope = 'admin.sessions:read'
const sessionsUpdateScope = 'admin.sessions:update'

/** How many seats of an entitlement are taken. */
export async function countSeats(client: AdminClient, entitlementId: string): Promise<number> {
  const filter = `${isOneOf('entitlementId', [entitlementId])},holdsSeat==true`
  return (await client.sessions.list.query({ filter, pageSize: 1 })).totalCount
}

/** The sessions of an entitlement, the latest used first: those that hold a seat, or with `all` every one there ever was. */
export async function listSeats(
  client: AdminClient,
  entitlement: Pick<Entitlement, 'id' | 'status'>,
  { limit, all }: { limit: number; all: boolean },
): Promise<{ seats: Seat[]; total: number }> {
  const filter = isOneOf('entitlementId', [entitlement.id]) + (all ? '' : ',holdsSeat==true')
  const { items, total } = await listFirst(limit, (page) =>
    client.sessions.list.query({ filter, sortOrder: '-lastAccessTime', ...page }),
  )
  return { seats: items.map((session) => toSeat(session, entitlement.status, tenantNow())), total }
}

/** A session as support sees it at `now` (milliseconds), its entitlement being of that status; null where that is not known. */
export function toSeat(session: Session, entitlementStatus: string | null, now: number): Seat {
  const { activationCode: _code, ...seat } = session
  return { ...seat, notValidBecause: session.isValidSession ? null : refusalWords(session, entitlementStatus, now) }
}

function refusalWords(session: Session, entitlementStatus: string | null, now: number): string {
  if (session.isRevoked) return session.revokeReason === null ? 'revoked' : `revoked: ${session.revokeReason}`
  if (session.releasedAt !== null) return 'released'
  if (entitlementStatus !== null && entitlementStatus !== 'Active')
    return `entitlement ${entitlementStatus.toLowerCase()}`
  if (Date.parse(session.leaseExpiration) <= now) return 'lease over'
  return 'not valid now'
}

/** One session. */
export const getSeat = async (environment: ChosenEnvironment, id: string): Promise<Seat> =>
  toSeat(await adminClient(environment, sessionsReadScope).sessions.get.query({ id }), null, tenantNow())

/** Frees the seat of a session. One that was released or revoked before is answered as it is. */
export const releaseSeat = (environment: ChosenEnvironment, id: string): Promise<Seat> =>
  endSeat(environment, 'Releasing the seat', ({ sessions }) => sessions.release.mutate({ id }))

/** Revokes a session, and with `blockDevice` keeps its device from this entitlement until it is unblocked. */
export const revokeSeat = (
  environment: ChosenEnvironment,
  id: string,
  how: { reason?: string | undefined; blockDevice: boolean },
): Promise<Seat> =>
  endSeat(environment, 'Revoking the session', ({ sessions }) => sessions.revoke.mutate({ id, ...how }))

/** Lets the blocked device of a session activate again. */
export const unblockDevice = (environment: ChosenEnvironment, id: string): Promise<Seat> =>
  endSeat(environment, 'Unblocking the device', ({ sessions }) => sessions.unblockDevice.mutate({ id }))

async function endSeat(
  environment: ChosenEnvironment,
  label: string,
  end: (client: AdminClient) => Promise<Session>,
): Promise<Seat> {
  const session = await duringPhase(`${label} in ${environmentName(environment)}`, () =>
    end(adminClient(environment, sessionsUpdateScope)),
  )
  return toSeat(session, null, tenantNow())
}
