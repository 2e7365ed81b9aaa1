import { afterAll, beforeAll } from 'vitest'
import { type ClientWithSecret, createClient } from '../../../server/access/clients/operator-deeds.ts'
import { openSealer } from '../../../server/access/installation/master-key.ts'
import { findTenantBySlug } from '../../../server/access/tenants/tenant-lookup.ts'
import type { Database } from '../../../server/database/database.ts'
import { readDatabaseUrl } from '../../../server/database/database-url.ts'
import { openDatabase } from '../../../server/database/open.ts'
import type { Tenant } from '../../../server/kit/context.ts'
import type { Sealer } from '../../../server/kit/sealing.ts'
import { startTestServer } from '../../support/server.ts'
import type { TestStore } from '../../support/stores.ts'

/** A running server, and its database beside it. */
export interface Scene {
  database: Database
  sealer: Sealer
  acme: Tenant
  base: string
  neighbour: Tenant
  neighbourBase: string
  sandbox: Tenant
  sandboxBase: string
  makeClient: (tenant: Tenant, ...scopes: string[]) => Promise<ClientWithSecret>
}

/** Starts a server on a fresh database for the tests of the block it is called in; its fields are there once they run. */
export function serveScene(store: TestStore): Scene {
  const scene = {} as Scene
  let close: () => Promise<void> = async () => {}
  beforeAll(async () => {
    const server = await startTestServer(store)
    const database = openDatabase(server.databaseUrl)
    close = async () => {
      await server.close()
      await database.close()
    }
    const sealer = await openSealer(database, readDatabaseUrl(server.databaseUrl))
    Object.assign(scene, {
      database,
      sealer,
      acme: await findTenantBySlug(database, 'acme'),
      base: server.baseUrl('acme'),
      neighbour: await findTenantBySlug(database, 'neighbour'),
      neighbourBase: server.baseUrl('neighbour'),
      sandbox: await findTenantBySlug(database, 'sandbox'),
      sandboxBase: server.baseUrl('sandbox'),
      makeClient: (tenant: Tenant, ...scopes: string[]) =>
        createClient(database, sealer, { tenantId: tenant.id, name: 'test', scopes }),
    })
  })
  afterAll(() => close())
  return scene
}

export interface Answer {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

/** Sends a request and reads its JSON answer; `json` becomes the body. */
export async function send(
  method: string,
  url: string,
  options: { token?: string | undefined; json?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(options.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.json === undefined ? {} : { body: JSON.stringify(options.json) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}

/** Asks the token endpoint with a form, and with whatever headers. */
export async function askToken(
  base: string,
  form: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${base}/auth/connect/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
  })
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}

export const basicOf = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
})

/** An access token for a client, with these scopes or with none. */
export async function getToken(base: string, client: ClientWithSecret, scope = ''): Promise<string> {
  const { status, body } = await askToken(base, { grant_type: 'client_credentials', scope }, basicOf(client))
  if (status !== 200) throw new Error(`no token: ${JSON.stringify(body)}`)
  return String(body.access_token)
}
