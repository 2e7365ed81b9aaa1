import { createClient } from '../../server/access/clients/operator-deeds.ts'
import { openSealer } from '../../server/access/installation/master-key.ts'
import { createTenant } from '../../server/access/tenants/tenant-creation.ts'
import { type ServerOptions, startServer } from '../../server/app.ts'
import { readDatabaseUrl } from '../../server/database/database-url.ts'
import { migrate } from '../../server/database/migrate.ts'
import { openDatabase } from '../../server/database/open.ts'
import type { Template, TestStore } from './stores.ts'

/** Every scope there is. */
export const everyScope = ['admin.*:*', 'operational.*:*', 'webhooks.*:*']

const tenants = { acme: 'Live', neighbour: 'Live', sandbox: 'Sandbox' } as const
export type TestTenant = keyof typeof tenants

/** Any JSON value; what is in it, a test finds out. */
type Json = ReturnType<typeof JSON.parse>

export interface CallOptions {
  /** The tenant whose base URL the path is under; acme, or null for the server's origin. */
  tenant?: TestTenant | null
  /** Sent as JSON; a string or bytes as they are, with whatever content type `headers` names. */
  body?: unknown
  /** A bearer token; the tenant's token with every scope, or null for none. */
  token?: string | null
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The body as JSON; undefined when it is empty. Throws when it is anything else. */
  body: Json
}

export interface TestServer {
  /** Such as `http://127.0.0.1:41234`. */
  origin: string
  databaseUrl: string
  /** The base URL of a tenant. */
  baseUrl(tenant?: TestTenant): string
  tenantIds: Record<TestTenant, string>
  /** A client of each tenant with every scope. */
  clients: Record<TestTenant, { clientId: string; clientSecret: string }>
  /** A token of that client with every scope. */
  tokens: Record<TestTenant, string>
  /** One request under a tenant's base URL. */
  api(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** A token with just these scopes. */
  tokenWith(scopes: readonly string[], tenant?: TestTenant): Promise<string>
  close(): Promise<void>
}

/** Starts the real server on a fresh database of the store, with the tenants acme, neighbour and sandbox. */
export async function startTestServer(store: TestStore, options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const { databaseUrl, tenantIds, clients } = await furnishedDatabase(store)
  const server = await startServer({ databaseUrl, host: '127.0.0.1', port: 0, logLevel: 'silent', ...options })
  const baseUrl = (tenant: TestTenant = 'acme') => `${server.url}/t/${tenant}`
  const tokenWith = (scopes: readonly string[], tenant: TestTenant = 'acme') =>
    requestToken(baseUrl(tenant), clients[tenant], scopes)
  const tokens = await forEachTenant((tenant) => tokenWith(everyScope, tenant))
  return {
    origin: server.url,
    databaseUrl,
    baseUrl,
    tenantIds,
    clients,
    tokens,
    tokenWith,
    api: (method, path, { tenant = 'acme', token, ...rest } = {}) =>
      call(method, `${tenant === null ? server.url : baseUrl(tenant)}${path}`, {
        ...rest,
        token: token === undefined && tenant !== null ? tokens[tenant] : token,
      }),
    close: () => server.close(),
  }
}

type Furnished = Awaited<ReturnType<typeof furnish>>

/** What test servers begin with: furnished once in a process for each kind of store, and copied from then on. */
const furnishedTemplates: Partial<Record<TestStore['kind'], Promise<Furnished & { template: Template }>>> = {}

/** A fresh database of the store with the tenants and their clients, for whoever starts servers on it. */
export async function furnishedDatabase(store: TestStore): Promise<Furnished & { databaseUrl: string }> {
  furnishedTemplates[store.kind] ??= furnishTemplate(store)
  const { template, ...made } = await furnishedTemplates[store.kind]!
  return { ...made, databaseUrl: await store.createDatabase(template) }
}

async function furnishTemplate(store: TestStore) {
  const url = await store.createDatabase()
  return { ...(await furnish(url)), template: await store.takeTemplate(url) }
}

/** Migrates a database and makes the tenants and their clients before a server starts, as an operator does. */
export async function furnish(databaseUrl: string) {
  process.env.LICET_MASTER_KEY ??= Buffer.alloc(32, 'licet test master key').toString('base64')
  const wanted = Object.entries(tenants).map(([slug, kind]) => ({ slug, name: `The tenant ${slug}`, kind }))
  const made = await makeTenants(databaseUrl, wanted, process.env.LICET_MASTER_KEY)
  return {
    tenantIds: await forEachTenant(async (slug) => made[slug]!.tenantId),
    clients: await forEachTenant(async (slug) => made[slug]!.client),
  }
}

type WantedTenant = { slug: string; name: string; kind: 'Live' | 'Sandbox' }

/** Migrates a database and makes tenants, each with a client of every scope; without a master key there is its file beside the database. */
export async function makeTenants(databaseUrl: string, wanted: readonly WantedTenant[], masterKey = '') {
  const database = openDatabase(databaseUrl)
  try {
    await migrate(database)
    const sealer = await openSealer(database, readDatabaseUrl(databaseUrl), masterKey)
    const made: Record<string, { tenantId: string; client: Awaited<ReturnType<typeof createClient>> }> = {}
    for (const tenant of wanted) {
      const { id: tenantId } = await createTenant(database, sealer, { ...tenant, hostNames: [] }, Date.now())
      const client = await createClient(database, sealer, { tenantId, name: 'tests', scopes: everyScope })
      made[tenant.slug] = { tenantId, client }
    }
    return made
  } finally {
    await database.close()
  }
}

async function forEachTenant<T>(make: (tenant: TestTenant) => Promise<T>): Promise<Record<TestTenant, T>> {
  const made: Partial<Record<TestTenant, T>> = {}
  for (const tenant of Object.keys(tenants) as TestTenant[]) made[tenant] = await make(tenant)
  return made as Record<TestTenant, T>
}

/** An access token of a client, from the token endpoint of its tenant. */
export async function requestToken(
  baseUrl: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  scopes: readonly string[],
): Promise<string> {
  const answer = await fetch(`${baseUrl}/auth/connect/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: scopes.join(' ') }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`no token: ${answer.status} ${text}`)
  return JSON.parse(text).access_token
}

async function call(
  method: string,
  url: string,
  { body, token, headers = {} }: Omit<CallOptions, 'tenant'>,
): Promise<Answer> {
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
  const answer = await fetch(url, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: isRaw ? (body as string | Uint8Array<ArrayBuffer> | undefined) : JSON.stringify(body),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    get body() {
      return text === '' ? undefined : JSON.parse(text)
    },
  }
}
