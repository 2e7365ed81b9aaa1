import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

type Answerer = (request: Seen, response: ServerResponse) => void

export interface StandIn {
  /** The tenant's base URL. */
  url: string
  /** What was asked, in order, without the token requests. */
  seen: Seen[]
  tokenRequests: Seen[]
  /** The variables with which a run goes there. */
  variables: Record<string, string>
  close(): Promise<void>
}

export const standInTenantId = '018f0000-0000-7000-8000-000000000001'
export const standInSecret = 's3cr3t-canary:+ü&='

/** A tenant that issues tokens and then answers as the test says: routes are `METHOD /path below the tenant`, `*` any other. */
export async function standIn(routes: Record<string, Answerer>): Promise<StandIn> {
  const seen: Seen[] = []
  const tokenRequests: Seen[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const asked = { method, url, headers, body: Buffer.concat(parts).toString('utf8') }
      const path = url.replace(/^\/t\/acme/, '').replace(/\?.*/, '')
      const isToken = path === '/auth/connect/token'
      if (isToken) tokenRequests.push(asked)
      else seen.push(asked)
      const fallback: Answerer = isToken
        ? issueToken
        : path === '/readyz'
          ? (_, out) => json(out, 200, { status: 'ready' })
          : notFound
      const answer =
        routes[`${method} ${path}`] ?? (isToken || path === '/readyz' ? undefined : routes['*']) ?? fallback
      answer(asked, response)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/t/acme`
  return {
    url,
    seen,
    tokenRequests,
    variables: { LICET_URL: url, LICET_CLIENT_ID: 'cli ent:1', LICET_CLIENT_SECRET: standInSecret },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

export function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  const type = status >= 400 ? 'application/problem+json' : 'application/json'
  response.writeHead(status, { 'content-type': type, ...headers }).end(JSON.stringify(body))
}

export function problem(
  response: ServerResponse,
  status: number,
  code: number,
  codeName: string,
  detail: string,
  more = {},
) {
  const body = {
    type: `https://x/docs#${code}`,
    title: codeName,
    status,
    detail,
    instance: '/x',
    code,
    codeName,
    ...more,
  }
  json(response, status, body, { 'x-correlation-id': 'corr-1', ...(status === 429 && { 'retry-after': '7' }) })
}

function notFound(_: Seen, response: ServerResponse) {
  problem(response, 404, 1004, 'request.route_not_found', 'There is no such path.')
}

export function issueToken(request: Seen, response: ServerResponse) {
  const [id, secret] = Buffer.from(String(request.headers.authorization).replace('Basic ', ''), 'base64')
    .toString()
    .split(':')
  const decoded = (half = '') => new URLSearchParams(`x=${half}`).get('x')
  if (decoded(id) !== 'cli ent:1' || decoded(secret) !== standInSecret) {
    json(response, 401, { error: 'invalid_client' }, { 'content-type': 'application/json' })
    return
  }
  const scope = new URLSearchParams(request.body).get('scope') ?? ''
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const access_token = `${part({ alg: 'ES256', typ: 'at+jwt' })}.${part({ tid: standInTenantId })}.c2lnbmF0dXJl`
  json(response, 200, { access_token, token_type: 'Bearer', expires_in: 900, scope })
}
