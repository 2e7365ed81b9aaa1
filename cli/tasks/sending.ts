/**
 * Sends a change; whoever interrupts the command meanwhile (Ctrl-C) is told that the change had been sent, and how to
 * find out what became of it.
 */
export async function sendChange<Result>(lookAfter: string, send: () => Promise<Result>): Promise<Result> {
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
