import { type ChosenEnvironment, envWords } from '../environments/choosing.ts'
import { wantsJson } from '../global-switches.ts'
import { printDocument } from '../json-document.ts'
import { Problem } from '../problems.ts'

/** What interrupts a command: Ctrl-C, a CI job that is cancelled, a terminal that is closed; each with its exit code. */
const exitCodeOf = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
const interruptions = Object.keys(exitCodeOf) as (keyof typeof exitCodeOf)[]

const interrupted = 'Interrupted after the change had been sent: it is done whole or not at all.'

/**
 * Sends a change to an environment; whoever interrupts the command meanwhile is told that the change had been sent, and
 * how to find out what became of it: each change of a catalog is an import of the history, or was none.
 */
export async function sendChange<Result>(
  { name }: Pick<ChosenEnvironment, 'name'>,
  send: () => Promise<Result>,
): Promise<Result> {
  const lookAfter = `licet catalog history${envWords(name)}`
  const onInterrupt = (signal: keyof typeof exitCodeOf) => {
    if (wantsJson()) printDocument({ error: new Problem('cli.failed', interrupted, { hint: lookAfter }).toJSON() })
    else process.stderr.write(`\n${interrupted} Look with: ${lookAfter}\n`)
    process.exit(exitCodeOf[signal])
  }
  for (const signal of interruptions) process.once(signal, onInterrupt)
  try {
    return await send()
  } finally {
    for (const signal of interruptions) process.removeListener(signal, onInterrupt)
  }
}
