import { type ChosenEnvironment, envWords } from '../environments/choosing.ts'
import { wantsJson } from '../global-switches.ts'
import { exitCodeOf, type Interruption, interruptions } from '../interruptions.ts'
import { printDocument } from '../json-document.ts'
import { Problem } from '../problems.ts'

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
  const onInterrupt = (signal: Interruption) => {
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
