import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { execa } from 'execa'

/** Where the receivers are that are made to be copied. */
export const receiversDirectory = join(import.meta.dirname, '../../examples/webhook-receivers')

const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0

type Command = readonly [program: string, ...args: string[]]

interface Receiver {
  name: string
  command: Command
  isThere: boolean
}

/** Each of them, how it is started, and whether what runs it is there. */
export const receivers: readonly [Receiver, Receiver] = [
  { name: 'receiver.ts', command: [process.execPath, join(receiversDirectory, 'receiver.ts')], isThere: true },
  { name: 'receiver.py', command: ['python3', join(receiversDirectory, 'receiver.py')], isThere: hasPython },
]

/** A receiver that runs, and the lines it has said since it began. */
export interface Running {
  url: string
  said: string[]
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Starts a receiver, on a free port unless told. Throws what it says when it does not start. */
export async function startReceiver([program, ...args]: Command, env: Record<string, string>): Promise<Running> {
  const child = execa(program, args, { env: { PORT: '0', ...env }, reject: false })
  const lines = createInterface(child.stdout)
  const said: string[] = []
  lines.on('line', (line) => said.push(line))
  const [first] = await Promise.race([
    once(lines, 'line'),
    child.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ])
  return {
    url: String(first).replace('listening at ', ''),
    said,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await child
    },
  }
}
