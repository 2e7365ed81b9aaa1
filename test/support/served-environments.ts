import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { ensureBuilt, freshHome, type Home, licet } from './licet-binary.ts'
import { requestToken } from './server.ts'

const binary = join(import.meta.dirname, '../../bin/licet.js')

/** A master key for databases of tests. */
export const testMasterKey = createHash('sha256').update('licet tests').digest('base64')

/** A server run by the real binary. */
export interface Serving {
  url: string
  /** Its first line on stdout, as it came. */
  firstLine: string
  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): void
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
  put(path: string, text: string): void
}

/** A server with a tenant for each name, known to the command line as an environment of that name, with a client for its catalog. */
export async function serveEnvironments(
  names: readonly string[],
  databaseVariables: Record<string, string> = {},
): Promise<Environments> {
  const home = freshHome()
  const options = { home, env: databaseVariables }
  const tenantIds: Record<string, string> = {}
  const secrets: Record<string, { clientId: string; clientSecret: string }> = {}
  for (const name of names) {
    tenantIds[name] = (await licet(['tenant', 'create', name, '--json'], options)).json().id
    const scopes = ['admin', 'operational', 'webhooks'].flatMap((audience) => ['--scope', `${audience}.*:*`])
    const args = ['client', 'create', '--tenant', name, '--name', 'tests', ...scopes, '--json']
    secrets[name] = (await licet(args, options)).json()
  }
  const server = await serve(home, databaseVariables)
  for (const [name, { clientId, clientSecret }] of Object.entries(secrets)) {
    const args = ['env', 'add', name, '--url', `${server.url}/t/${name}`, '--client-id', clientId]
    const added = await licet([...args, '--client-secret-file', '-'], { home, input: clientSecret })
    if (added.exitCode !== 0) throw new Error(added.stderr)
  }
  const tokens: Record<string, Promise<string>> = {}
  return {
    home,
    server,
    databaseVariables,
    tenantIds,
    async ask(name, method, path, body) {
      const tenant = `${server.url}/t/${name}`
      tokens[name] ??= requestToken(tenant, secrets[name]!, ['admin.*:*', 'operational.*:*'])
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
