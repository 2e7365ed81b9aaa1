import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { type BuiltServer, serveBuilt } from '../support/built-server.ts'
import { startPostgres } from '../support/global-setup.ts'
import { everyScope, furnish, makeTenants, requestToken, type TestTenant } from '../support/server.ts'

/** A built server on a furnished database of its own, in a process of its own. */
export interface Served {
  store: 'sqlite' | 'postgres'
  databaseUrl: string
  server: BuiltServer
  tenantId: string
  client: { clientId: string; clientSecret: string }
  /** The path of the tenant's base URL. */
  base: string
  token: string
  tokens: Record<TestTenant, string>
  /** Asks for JSON under a tenant's base URL, acme's unless said; throws unless the answer is 2xx. */
  ask(method: string, path: string, body?: string, tenant?: TestTenant): Promise<string>
  /** Makes a tenant that has nothing yet, and answers how it is asked. */
  emptyEnvironment(): Promise<Ask>
}

type Ask = (method: string, path: string, body?: string) => Promise<string>

let postgres: ReturnType<typeof startPostgres> | undefined
let databases = 0
let environments = 0

export const stores = ['sqlite', 'postgres'] as const

/** Lends a server to the work and takes everything away again. */
export async function withServer<T>(
  store: Served['store'],
  work: (served: Served) => Promise<T>,
  nodeOptions: readonly string[] = [],
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'licet-bench-'))
  const databaseUrl = store === 'sqlite' ? `sqlite:${join(directory, 'licet.db')}` : await createPostgresDatabase()
  const { tenantIds, clients } = await furnish(databaseUrl)
  const server = await serveBuilt(databaseUrl, nodeOptions)
  const base = '/t/acme'
  const tokenOf = (tenant: TestTenant) => requestToken(`${server.origin}/t/${tenant}`, clients[tenant], everyScope)
  const tokens = {
    acme: await tokenOf('acme'),
    neighbour: await tokenOf('neighbour'),
    sandbox: await tokenOf('sandbox'),
  }
  const askAs = (tenant: string, token: string) => async (method: string, path: string, body?: string) => {
    const answer = await fetch(`${server.origin}/t/${tenant}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`)
    return text
  }
  try {
    return await work({
      store,
      databaseUrl,
      server,
      tenantId: tenantIds.acme,
      client: clients.acme,
      base,
      token: tokens.acme,
      tokens,
      ask: (method, path, body, tenant = 'acme') => askAs(tenant, tokens[tenant])(method, path, body),
      async emptyEnvironment() {
        const slug = `empty-${environments++}`
        const wanted = [{ slug, name: slug, kind: 'Live' as const }]
        const made = await makeTenants(databaseUrl, wanted, process.env.LICET_MASTER_KEY)
        return askAs(slug, await requestToken(`${server.origin}/t/${slug}`, made[slug]!.client, everyScope))
      },
    })
  } finally {
    await server.close()
    await rm(directory, { recursive: true, force: true })
  }
}

/** What floors that decide and write are. */
export const floorNames = {
  sqlite: 'raw code, one FULL transaction each',
  postgres: 'a Kysely transaction each, pool 10',
}

/** Where a floor keeps its tables: a file beside the server's, or the server's own PostgreSQL. */
export const bareDatabaseOf = ({ store, databaseUrl }: Served) =>
  store === 'sqlite' ? `${databaseUrl}.bare` : databaseUrl

/** A floor's server. */
export interface Beside {
  origin: string
  stop: () => void
}

/** Runs a script of this folder, which prints the URL that it listens on, in a process of its own. */
export async function startBeside(script: string, ...args: string[]): Promise<Beside> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${script} ended before it listened; run alone it says why`)
  })
  const [line] = (await Promise.race([once(createInterface(child.stdout!), 'line'), ended])) as [string]
  return { origin: JSON.parse(line).url, stop: () => void child.kill('SIGTERM') }
}

/** Stops what the servers shared. */
export async function stopStores(): Promise<void> {
  await (await postgres)?.stop()
}

async function createPostgresDatabase(): Promise<string> {
  postgres ??= startPostgres()
  const { adminUrl } = await postgres
  const name = `licet_bench_${databases++}`
  const admin = new pg.Client(adminUrl)
  await admin.connect()
  await admin.query(`create database ${name} template template0`).finally(() => admin.end())
  return Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
}
