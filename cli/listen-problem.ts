import { Problem } from './problems.ts'

const meanings: Record<string, string> = {
  EADDRINUSE: 'another process listens there already',
  EACCES: 'this user may not listen there; ports below 1024 are the system’s',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'there is no such host',
}

/** Why this machine does not listen at an address, as a problem (cli.failed); undefined for an error about anything else. */
export function listenProblem(error: unknown, host: string, port: number): Problem | undefined {
  const { code, syscall = '', hostname = host } = error as NodeJS.ErrnoException & { hostname?: string }
  const meaning = meanings[code ?? '']
  const isAboutListening = ['listen', 'bind'].includes(syscall) || (syscall === 'getaddrinfo' && hostname === host)
  if (!meaning || !isAboutListening) return undefined
  return new Problem('cli.failed', `Cannot listen at ${host}, port ${port}: ${meaning} (${code}).`, {
    hint: ['EADDRINUSE', 'EACCES'].includes(code ?? '')
      ? '--port 0 picks a free port'
      : '--host 127.0.0.1 is this machine alone; --host 0.0.0.0 or :: are all of its addresses',
    cause: error,
  })
}
