import type { FastifyRequest } from 'fastify'
import type { Database, Readable } from '../database/database.ts'
import { waitForErasures } from '../kit/audit.ts'
import { allDone } from '../kit/compiled-query.ts'
import type { Caller, RequestContext, Tenant, TokenKind } from '../kit/context.ts'
import type { DueWork } from '../kit/due-work.ts'
import type { Mail } from '../kit/mail.ts'
import { nextTurn } from '../kit/next-turn.ts'
import type { Outgoing } from '../kit/outgoing/outgoing.ts'
import { Problem } from '../kit/problem.ts'
import { isLoopbackHost } from '../kit/public-address.ts'
import { headerValues } from '../kit/rest/header-values.ts'
import type { ContextBuilder } from '../kit/rest/routes.ts'
import type { Sealer } from '../kit/sealing.ts'
import { identifyClient } from './access-tokens/identification.ts'
import { normalHostName } from './tenants/host-names.ts'
import { tenantNow } from './tenants/tenant-clock.ts'
import { findTenantByHostName, findTenantBySlug, listHostNames } from './tenants/tenant-lookup.ts'
import { authenticate, eitherOf, type Identifier } from './tokens/authentication.ts'
import { keepUsers } from './users/keeping.ts'

export interface Installation {
  database: Database
  sealer: Sealer
  /** The origin that clients use, without a trailing slash. */
  origin: () => string
  /** Whether it listens at loopback addresses alone, and that origin is one, too. */
  isLocal: () => boolean
  defaultTenant: string | undefined
  dueWork: readonly DueWork[]
  outgoing: Outgoing
  /** Undefined where no SMTP server is configured. */
  mail: Mail | undefined
  settleDeliveries: (tenantId: string) => Promise<void>
  /** Who holds a license token, who a user's, and who one that came with a webhook. */
  identifiers: Record<'session' | 'user' | 'callback', Identifier>
}

/** Finds out for each request its tenant by path, host name or default, the tenant's clock, and who is calling. */
export function contextBuilder(installation: Installation): ContextBuilder {
  const { database, sealer, origin, isLocal, dueWork, outgoing, mail, settleDeliveries } = installation
  const { session, user, callback } = installation.identifiers
  const identifiers = { session, user, client: eitherOf(identifyClient, callback) }
  const known = new Map<string, { issuers: readonly string[]; isOfHere: boolean }>()

  const readIssuers = async (tenant: Tenant) => {
    const issuers = issuersAt(origin(), tenant.slug, await listHostNames(database, tenant.id))
    // A tenant with a host name is reached from elsewhere, if only by a proxy on this machine.
    const isOfHere = isLocal() && issuers.every((issuer) => isLoopbackHost(new URL(issuer).hostname))
    known.set(tenant.id, { issuers, isOfHere })
    return { issuers, isOfHere }
  }

  return async (request) => {
    const { tenant, byHostName } = await findTenant(installation, request)
    const { issuers, isOfHere } = known.get(tenant.id) ?? (await readIssuers(tenant))
    const baseUrl = byHostName
      ? (issuers.find((issuer) => new URL(issuer).hostname === byHostName) ?? issuers[0]!)
      : issuers[0]!
    const answer: RequestContext['answer'] = { headers: {}, replayed: false }
    const presented = { database, tenant, issuers, isLocal: isOfHere, answer }
    const clock = (read: Readable) => tenantNow(read, tenant)
    const now = await clock(database.read)
    request.licet = {
      tenant,
      caller: { kind: 'anyone' },
      now,
      clock,
      correlationId: request.correlationId ?? '',
      baseUrl,
      issuers,
      isLocal: isOfHere,
      instance: request.originalUrl.split('?', 1)[0]!,
      ip: request.ip,
      headers: request.headers,
      database,
      sealer,
      dueWork,
      outgoing,
      mail,
      settleDeliveries,
      identify: remembered((kind) => {
        const authorization = authorizationOf(request)
        const identify = () => authenticate({ ...presented, now, authorization }, identifiers[kind])
        return kind === 'session' ? identify() : nextTurn().then(identify)
      }),
      keepCaller: async (tx, caller) => {
        if (caller.kind !== 'user') return
        // As an erasure has it: the records first, then the user.
        await allDone([waitForErasures(tx, tenant.id), keepUsers(tx, tenant.id, [caller.userId])])
      },
      answer,
    }
  }
}

/** Asks once for each kind of token. */
function remembered(identify: (kind: TokenKind) => Promise<Caller>) {
  const asked: Partial<Record<TokenKind, Promise<Caller>>> = {}
  return (kind: TokenKind) => (asked[kind] ??= identify(kind))
}

/** Every Authorization header of a request; more than one is for the caller to refuse. */
export const authorizationOf = (request: FastifyRequest): readonly string[] =>
  headerValues(request.raw, 'authorization')

/** The base URLs of a tenant: its path at the origin first, then each of its host names. */
function issuersAt(origin: string, slug: string, hostNames: readonly string[]): string[] {
  const { protocol, port } = new URL(origin)
  return [`${origin}/t/${slug}`, ...hostNames.map((name) => `${protocol}//${name}${port ? `:${port}` : ''}`)]
}

/** The tenant whose base URL was asked; throws where there is none. */
export async function findTenant(
  { database, defaultTenant }: Pick<Installation, 'database' | 'defaultTenant'>,
  request: FastifyRequest,
): Promise<{ tenant: Tenant; byHostName?: string }> {
  if (request.raw.tenantSlug !== undefined) return found(await findTenantBySlug(database, request.raw.tenantSlug))
  const named =
    request.headers.host === undefined ? undefined : await findTenantByHostName(database, request.headers.host)
  if (named) return { tenant: named, byHostName: normalHostName(request.headers.host!)! }
  return found(defaultTenant === undefined ? undefined : await findTenantBySlug(database, defaultTenant))
}

function found(tenant: Tenant | undefined) {
  if (!tenant) throw new Problem('request.route_not_found', 'There is nothing at this path.')
  return { tenant }
}
