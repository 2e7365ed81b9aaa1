import type { Database } from '../../database/database.ts'
import type { Caller, RequestContext, Tenant } from '../../kit/context.ts'
import { Problem } from '../../kit/problem.ts'

/** What is needed to know who is calling. */
export interface Presented {
  database: Database
  tenant: Tenant
  issuers: readonly string[]
  /** Whether the service is on somebody's own machine alone. */
  isLocal: boolean
  /** Now on the tenant's clock. */
  now: number
  /** Every Authorization header of the request. */
  authorization: readonly string[]
  /** What the log is to tell beside who was refused. */
  answer: RequestContext['answer']
}

/** Finds out who holds a token of one kind; undefined when it is malformed, expired, foreign or of another kind. */
export type Identifier = (presented: Presented, token: string) => Promise<Caller | undefined>

/** Finds out who holds a token of one kind or another: no token is of both. */
export const eitherOf =
  (identify: Identifier, other: Identifier): Identifier =>
  async (presented, token) =>
    (await identify(presented, token)) ?? other(presented, token)

/** Who is calling: anyone without an Authorization header, else whom `identify` finds. Anything else is 401 `auth.unauthenticated`. */
export async function authenticate(presented: Presented, identify: Identifier): Promise<Caller> {
  const { authorization } = presented
  if (authorization.length === 0) return { kind: 'anyone' }
  if (authorization.length > 1) throw refuseToken('The request has more than one Authorization header.')
  const [header] = authorization as [string]
  const scheme = /^Bearer +/i.exec(header)?.[0] ?? header
  // What a token may consist of is known by whoever reads one that was not seen before.
  const token = header.slice(scheme.length)
  if (token === '') throw refuseToken('The Authorization header does not hold a bearer token.')
  const caller = await identify(presented, token)
  if (!caller) throw refuseToken('The token is malformed, expired, or not one of this tenant for this operation.')
  return caller
}

/** 401 for a token that was presented and will not do. */
export const refuseToken = (detail: string) =>
  new Problem('auth.unauthenticated', detail, { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })
