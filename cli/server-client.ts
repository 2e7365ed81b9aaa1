import { randomUUID } from 'node:crypto'
import type { ChosenEnvironment } from './environments/choosing.ts'
import { Problem } from './problems.ts'
import { type AccessToken, fetchAccessToken } from './server-connection/access-token.ts'
import { jsonOf } from './server-connection/answer-body.ts'
import { type Answer, exchange } from './server-connection/exchange.ts'
import { refusal } from './server-connection/refusals.ts'
import { version } from './version.ts'

export interface RestOptions {
  /** A value sent as JSON; a string or bytes are sent as they are, as JSON unless a header says otherwise. */
  body?: unknown
  query?: Record<string, string | number | boolean | readonly string[] | undefined>
  headers?: Record<string, string>
  timeoutMs?: number
  /** Gives the call up; it ends on the signal's reason then. */
  signal?: AbortSignal | undefined
}

/** The calls of one run of the command line to one tenant on one server. */
export interface TenantClient {
  /** The JSON answer of a REST call; null for none. Every failure is a Problem. */
  callRest(method: string, path: string, options?: RestOptions): Promise<unknown>
  /** The whole answer of a REST call, refusals included; only a failure to get one is a Problem. */
  request(method: string, path: string, options?: RestOptions): Promise<Answer>
}

/** One tenant, called as the client of an environment. */
export interface ServerClient extends TenantClient {
  environment: ChosenEnvironment
  /** The token of this run, fetched once and again only when it is about to expire. */
  token(): Promise<AccessToken>
}

/** A client for an environment that asks for these scopes and no more. Nothing is sent until the first call. */
export function serverClient(environment: ChosenEnvironment, scopes: readonly string[]): ServerClient {
  const headers = commonHeaders()
  let held: Promise<AccessToken> | null = null

  async function token(): Promise<AccessToken> {
    if (held && (await held).expiresAt - Date.now() < 30_000) held = null
    held ??= fetchAccessToken(environment, scopes, headers)
    return held
  }

  return { environment, token, ...callsTo(environment.url, headers, async () => (await token()).token) }
}

/** A client for the tenant at a base URL that calls as nobody, or with a bearer token of its own. */
export const tenantClient = (url: string, bearer?: string): TenantClient =>
  callsTo(url, commonHeaders(), async () => bearer)

const commonHeaders = () => ({ 'user-agent': `licet-cli/${version}`, 'x-correlation-id': randomUUID() })

function callsTo(
  base: string,
  common: Record<string, string>,
  bearer: () => Promise<string | undefined>,
): TenantClient {
  const { host } = new URL(base)

  async function request(method: string, path: string, options: RestOptions = {}): Promise<Answer> {
    const url = tenantPath(base, path)
    for (const [name, value] of Object.entries(options.query ?? {})) {
      for (const each of [value].flat()) if (each !== undefined) url.searchParams.append(name, String(each))
    }
    const body = bodyOf(options.body)
    const token = await bearer()
    return exchange({
      method,
      url,
      headers: {
        ...common,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...Object.fromEntries(
          Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
        ),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body,
      timeoutMs: options.timeoutMs,
      signal: options.signal,
    })
  }

  async function callRest(method: string, path: string, options?: RestOptions): Promise<unknown> {
    const answer = await request(method, path, options)
    if (answer.status >= 400) throw refusal(answer, host)
    return jsonOf(answer, host)
  }

  return { request, callRest }
}

/** A path below a tenant's base URL, however it is written; a path that leads out of the tenant is refused. Raises cli.usage. */
export function tenantPath(base: string, path: string): URL {
  const url = /^[a-z][a-z0-9+.-]*:|^\/\//i.test(path) ? null : new URL(`${base}/${path.replace(/^\/+/, '')}`)
  if (url && `${url.origin}${url.pathname}`.startsWith(`${base}/`)) return url
  throw new Problem('cli.usage', 'The path must stay below the base URL of the environment.', {
    hint: '/api/v1/provision/admin/products',
  })
}

function bodyOf(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body
  return JSON.stringify(body)
}
