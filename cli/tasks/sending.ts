import type { AppRouter } from '../../server/router.ts'
import { type ChosenEnvironment, envWords } from '../environments/choosing.ts'
import { wantsJson } from '../global-switches.ts'
import { exitCodeOf, type Interruption, interruptions } from '../interruptions.ts'
import { printDocument } from '../json-document.ts'
import { Problem } from '../problems.ts'
import { routerClient } from '../router-client.ts'
import { serverClient } from '../server-client.ts'
import { readScope } from './compare.ts'

/** The scopes that an import needs: one to show it, one to do it. */
export const importScopes = [readScope, 'admin.catalog:write']

type Catalog = ReturnType<typeof routerClient<AppRouter>>['admin']['catalog']

/**
 * Sends a change of the catalog to an environment; whoever interrupts the command meanwhile is told whether the change had been
 * sent, and how to find out what became of it: each change of a catalog is an import of the history, or was none.
 */
export async function sendChange<Result>(
  environment: ChosenEnvironment,
  send: (catalog: Catalog) => Promise<Result>,
): Promise<Result> {
  const server = serverClient(environment, importScopes)
  let isSent = false
  const onInterrupt = (signal: Interruption) => {
    tellInterruption(isSent, environment)
    process.exit(exitCodeOf[signal])
  }
  for (const signal of interruptions) process.once(signal, onInterrupt)
  try {
    await server.token()
    isSent = true
    return await send(routerClient<AppRouter>(server).admin.catalog)
  } finally {
    for (const signal of interruptions) process.removeListener(signal, onInterrupt)
  }
}

function tellInterruption(isSent: boolean, { name }: ChosenEnvironment): void {
  const message = isSent
    ? 'Interrupted after the change had been sent: it is done whole or not at all.'
    : 'Interrupted before the change was sent: nothing has changed.'
  const hint = isSent ? `licet catalog history${envWords(name)}` : undefined
  if (wantsJson()) printDocument({ error: new Problem('cli.failed', message, { hint }).toJSON() })
  else process.stderr.write(`\n${message}${hint ? ` Look with: ${hint}` : ''}\n`)
}
