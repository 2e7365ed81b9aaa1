import type { RunningServer, ServerOptions } from '../../server/app.ts'
import { databaseProblem } from '../operator/database-problems.ts'
import { Problem } from '../problems.ts'

const listening: Record<string, string> = {
  EADDRINUSE: 'another process listens there already',
  EACCES: 'this user may not listen there; ports below 1024 are the system’s',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'there is no such host',
}

/** Starts a server; raises cli.failed or cli.input with one line for what an operator can mend. */
export async function startServing(options: ServerOptions): Promise<RunningServer> {
  const { startServer } = await import('../../server/app.ts')
  try {
    return await startServer(options)
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    const meaning = listening[code ?? '']
    if (meaning && (syscall === 'listen' || syscall === 'bind' || syscall === 'getaddrinfo')) {
      throw new Problem('cli.failed', `Cannot listen at ${options.host}, port ${options.port}: ${meaning} (${code}).`, {
        hint: '--port 0 picks a free port',
        cause: error,
      })
    }
    throw databaseProblem(error, options.databaseUrl)
  }
}

/** Waits for SIGTERM or SIGINT, then lets the server finish what is running; a second signal ends the process at once. */
export async function drainWhenTold(server: RunningServer): Promise<void> {
  await new Promise<void>((told) => {
    let signals = 0
    const onSignal = (signal: NodeJS.Signals) => {
      signals += 1
      if (signals > 1) process.exit(signal === 'SIGINT' ? 130 : 143)
      told()
    }
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  })
  await server.close()
}
