import type { Kysely } from 'kysely'
import type { authenticationLevels } from '../../catalog-schema/enumerations.ts'
import type { Database, Readable, Tx } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { SecurityEvent } from '../vocabulary/security-events.ts'
import type { DueWork } from './due-work.ts'
import type { Mail } from './mail.ts'
import type { Outgoing } from './outgoing/outgoing.ts'
import type { Sealer } from './sealing.ts'

/** The tenant a request is for. */
export interface Tenant {
  id: string
  slug: string
  name: string
  kind: 'Live' | 'Sandbox'
}

/** Who is calling, as its token proves. */
export type Caller =
  | { kind: 'anyone' }
  | { kind: 'client'; clientId: string; name: string; scopes: readonly string[] }
  | CallbackCaller
  | SessionCaller
  | UserCaller

/** Who was sent a webhook, by the token that came with it: as a client is, with the scopes that the subscription asked for. */
interface CallbackCaller {
  kind: 'callback'
  subscriptionId: string
  scopes: readonly string[]
}

/** A shipped application, by the license token of its session. That the session is still valid is for its own room to ask. */
export interface SessionCaller {
  kind: 'session'
  sessionId: string
  entitlementId: string
}

/** A signed-in end user, and how well the sign-in proved who it is. */
export interface UserCaller {
  kind: 'user'
  userId: string
  email: string
  level: Exclude<AuthenticationLevel, 'Default'>
}

export type AuthenticationLevel = (typeof authenticationLevels)[number]

/** What an operation may ask for, none of which stands in for another: a token with scopes, a session's, or a user's. */
export type TokenKind = Exclude<Caller['kind'], 'anyone' | 'callback'>

/** By what a caller is known in records: the id of the client, subscription, session or user. */
export function callerId(caller: Caller): string {
  switch (caller.kind) {
    case 'client':
      return caller.clientId
    case 'callback':
      return caller.subscriptionId
    case 'session':
      return caller.sessionId
    case 'user':
      return caller.userId
    case 'anyone':
      return caller.kind
  }
}

/** What every procedure knows of its request. */
export interface RequestContext {
  tenant: Tenant
  caller: Caller
  /** Who is calling, by a token of this kind; throws auth.unauthenticated for one of any other. Absent where the caller is known already. */
  identify?: (kind: TokenKind) => Promise<Caller>
  /** Keeps who is calling from being erased until the transaction ends; throws auth.unauthenticated where that has been done. Absent where the caller is known already. */
  keepCaller?: (tx: Tx, caller: Caller) => Promise<void>
  /** Now on the tenant's clock, in milliseconds: when it was asked or, of what waits for others, when its turn came. */
  now: number
  /** The tenant's clock as it stands when looked at. Absent on the thread for heavy operations. */
  clock?: (read: Readable) => number | Promise<number>
  correlationId: string
  /** The tenant's base URL as its tokens name it, without a trailing slash. */
  baseUrl: string
  /** Every URL that is this tenant's base URL: an issuer of its tokens is one of them. */
  issuers: readonly string[]
  /** Whether the service is on somebody's own machine: it listens at loopback addresses alone, and is known by no other. */
  isLocal: boolean
  /** The path that was asked, for a problem's `instance`. */
  instance: string
  ip: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  database: Database
  sealer: Sealer
  /** What becomes due by itself on the tenant's clock. */
  dueWork: readonly DueWork[]
  /** The way to other servers. Absent on the thread for heavy operations, which asks none. */
  outgoing?: Outgoing
  /** The way to people's mailboxes. Absent there, too, and where no SMTP server is configured. */
  mail?: Mail | undefined
  /** Waits until what is due of a tenant's deliveries by now has been tried. Absent there, too. */
  settleDeliveries?: (tenantId: string) => Promise<void>
  /** Runs a heavy operation with its one input on the thread for such; absent where it is to be run here and now. */
  elsewhere?: (name: string, input: unknown) => Promise<unknown>
  /** What the answer carries beside its body, and what was done that the log is to tell. */
  answer: {
    headers: Record<string, string>
    replayed: boolean
    deeds?: SecurityDeed[]
    /** When it was given on the tenant's clock, where what was asked for moved that. */
    givenAt?: number
  }
}

/** Something done that matters for security, and to which record; or refused, and why. */
type SecurityDeed = { event: SecurityEvent } & (
  | { operation: string; subject: string }
  | { reason: string; subject?: string }
)

/** A procedure that reads. */
export interface ReadContext extends RequestContext {
  read: Kysely<Tables>
}

/** A procedure that writes: everything it does commits together. */
export interface WriteContext extends RequestContext {
  tx: Tx
  /** The name under which what it changes is recorded. */
  actor: string
  /** What it tells the audit log of its deed that neither the record nor its own answer does. */
  deed?: OwnDeed
}

/** Which record something was done to, and fields of it before and after; what is absent the audit log finds out itself. */
interface OwnDeed {
  recordKind?: string
  recordId?: string
  before?: object
  after?: object
}
