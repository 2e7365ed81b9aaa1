import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll } from 'vitest'
import { binary } from './licet-binary.ts'

/** Tokens name the origin that clients would use. */
const flags = ['--port', '0', '--public-url', 'http://licet.example']
/** Endpoints of tests are on this machine. */
const toThisMachine = ['--allow-private-webhooks']

/**
 * Starts servers as they are shipped in processes of their own, which a test may kill; those left are killed after the block
 * this is called in.
 */
export function serverProcesses() {
  const children: ChildProcess[] = []
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
  })
  return (databaseUrl: string, logLevel = 'silent', more = toThisMachine): ChildProcess => {
    const stderr = logLevel === 'silent' ? 'inherit' : 'pipe'
    const serve = [binary, 'serve', ...flags, ...more, '--log-level', logLevel, '--database', databaseUrl]
    const child = spawn(process.execPath, serve, { stdio: ['ignore', 'pipe', stderr] })
    children.push(child)
    return child
  }
}

/** The origin at which a server that was just started listens, once it does. */
export async function originOf(server: ChildProcess): Promise<string> {
  const [line] = (await once(createInterface(server.stdout!), 'line')) as [string]
  return JSON.parse(line).url
}
