import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

const script = fileURLToPath(new URL('./serve-alone.ts', import.meta.url))

/** Starts servers in processes of their own, which a test may kill; those left are killed after the block this is called in. */
export function serverProcesses() {
  const children: ChildProcess[] = []
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
  })
  return (databaseUrl: string, logLevel = 'silent'): ChildProcess => {
    const stderr = logLevel === 'silent' ? 'inherit' : 'pipe'
    const child = spawn(process.execPath, [script, databaseUrl, logLevel], { stdio: ['ignore', 'pipe', stderr] })
    children.push(child)
    return child
  }
}

/** The origin of a server that was just started, once it listens. */
export async function originOf(server: ChildProcess): Promise<string> {
  const [line] = (await once(server.stdout!, 'data')) as [Buffer]
  return line.toString().trim()
}
