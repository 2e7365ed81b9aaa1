import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { userFilePath, writeUserEnvironments } from '../../cli/environments/user-file.ts'
import { ensureBuilt, freshHome, type Home, licet } from './licet-binary.ts'
import { makeTenants, requestToken } from './server.ts'

const binary = join(import.meta.dirname, '../../bin/licet.js')

/** A master key for databases of tests. */
export const testMasterKey = createHash('sha256').update('licet tests').digest('base64')

/** A server run by the real binary. */
export interface Serving {
  url: string
  /** Its first line on stdout, as it came. */
  firstLine: string
  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGKILL' | 'SIGUSR2'): void
  ended: Promise<{ exitCode: number | undefined; stdout: string; stderr: string }>
  stop(): Promise<void>
}

/** Starts `licet serve`, on a free port unless told, and waits for its first line. */
export async function serve(home: Home, env: Record<string, string> = {}, args: string[] = []): Promise<Serving> {
  await ensureBuilt()
  const port = args.includes('--port') ? [] : ['--port', '0']
  const child = execa(process.execPath, [binary, 'serve', ...port, ...args], {
    cwd: home.directory,
    extendEnv: false,
    env: { ...home.variables, ...env },
    reject: false,
  })
  const ended = child.then(({ exitCode, stdout, stderr }) => ({ exitCode, stdout, stderr }))
  const firstLine = await Promise.race([
    new Promise<string>((heard) => child.stdout.once('data', (line) => heard(String(line)))),
    ended.then(({ stderr }) => Promise.reject(new Error(`licet serve ended: ${stderr}`))),
  ])
  return {
    url: JSON.parse(firstLine).url,
    firstLine,
    signal: (name) => void child.kill(name),
    ended,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

type Json = ReturnType<typeof JSON.parse>

export interface Environments {
  home: Home
  server: Serving
  databaseVariables: Record<string, string>
  tenantIds: Record<string, string>
  /** One request below the admin routes of an environment, past the command line: for what a test does not ask of that. Throws when it is refused. */
  ask(name: string, method: string, path: string, body?: object): Promise<Json>
  /** Runs the binary where the environments are known. */
  run(args: string[], options?: { input?: string; env?: Record<string, string> }): ReturnType<typeof licet>
  /** Writes a file below the home. */
  put(path: string, text: string | Uint8Array): void
}

/**
 * A server with a tenant for each name (a Sandbox for "sandbox"), known to the command line as an environment of that name,
 * with a client for all of it: made without the command line, whose own tests are tenant, client and environments.
 */
export async function serveEnvironments(
  names: readonly string[],
  databaseVariables: Record<string, string> = {},
): Promise<Environments> {
  const home = freshHome()
  const { LICET_DATABASE_URL: url = `sqlite:${join(home.directory, 'licet.db')}`, LICET_MASTER_KEY } = databaseVariables
  const wanted = names.map((name) => ({ slug: name, name, kind: name === 'sandbox' ? 'Sandbox' : 'Live' }) as const)
  const made = await makeTenants(url, wanted, LICET_MASTER_KEY)
  const server = await serve(home, databaseVariables)
  const environments = Object.entries(made).map(([name, { client }]) => {
    const { clientId, clientSecret } = client
    return [name, { url: `${server.url}/t/${name}`, clientId, clientSecret, protected: false }] as const
  })
  const known = { current: names[0] ?? null, environments: Object.fromEntries(environments) }
  await writeUserEnvironments(known, userFilePath(home.variables))
  const tokens: Record<string, Promise<string>> = {}
  return {
    home,
    server,
    databaseVariables,
    tenantIds: Object.fromEntries(Object.entries(made).map(([name, { tenantId }]) => [name, tenantId])),
    async ask(name, method, path, body) {
      const tenant = `${server.url}/t/${name}`
      tokens[name] ??= requestToken(tenant, made[name]!.client, ['admin.*:*', 'operational.*:*'])
      const headers = {
        authorization: `Bearer ${await tokens[name]}`,
        ...(body && { 'content-type': 'application/json' }),
      }
      const url = `${tenant}/api/v1/provision/admin/${path}`
      const answer = await fetch(url, { method, headers, body: body && JSON.stringify(body) })
      const text = await answer.text()
      if (!answer.ok) throw new Error(text)
      return text === '' ? undefined : JSON.parse(text)
    },
    run: (args, more = {}) => licet(args, { home, ...more }),
    put(path, text) {
      mkdirSync(dirname(join(home.directory, path)), { recursive: true })
      writeFileSync(join(home.directory, path), text)
    },
  }
}
