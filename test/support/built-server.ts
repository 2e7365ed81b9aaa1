import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { binary, ensureBuilt } from './licet-binary.ts'

export interface BuiltServer {
  /** Such as `http://127.0.0.1:41234`. */
  origin: string
  process: ChildProcess
  /** Lets it finish what is running. */
  close(): Promise<void>
}

/** Its endpoints are on this machine. */
const flags = ['--port', '0', '--log-level', 'error', '--allow-private-webhooks']

/** Runs `licet serve` from the built bundle, in a process of its own, and waits until it listens. */
export async function serveBuilt(databaseUrl: string, nodeOptions: readonly string[] = []): Promise<BuiltServer> {
  await ensureBuilt()
  const child = spawn(process.execPath, [...nodeOptions, binary, 'serve', ...flags, '--database', databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const first = once(createInterface(child.stdout!), 'line') as Promise<[string]>
  const line = await Promise.race([first.then(([text]) => text), exited.then(() => undefined)])
  if (line === undefined) throw new Error(`licet serve ended with ${child.exitCode} before it listened`)
  return {
    origin: JSON.parse(line).url,
    process: child,
    async close() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
