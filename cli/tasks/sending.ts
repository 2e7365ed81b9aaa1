import type { ChosenEnvironment } from '../environments/choosing.ts'

/**
 * Sends a change to an environment; whoever interrupts the command meanwhile (Ctrl-C) is told that the change had been
 * sent, and how to find out what became of it.
 */
export async function sendChange<Result>(
  { name }: Pick<ChosenEnvironment, 'name'>,
  send: () => Promise<Result>,
): Promise<Result> {
  const lookAfter = `licet catalog diff${name === null ? '' : ` --env ${name}`}`
  const onInterrupt = () => {
    process.stderr.write(
      `\nInterrupted after the change had been sent: it is done whole or not at all. Look with: ${lookAfter}\n`,
    )
    process.exit(130)
  }
  process.once('SIGINT', onInterrupt)
  try {
    return await send()
  } finally {
    process.removeListener('SIGINT', onInterrupt)
  }
}
