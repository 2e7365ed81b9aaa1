import { fstatSync } from 'node:fs'
import { exitCodeOf, type Interruption, interruptions } from '../interruptions.ts'
import { visible } from '../visible-text.ts'

/** What tells a listener to stop. */
export interface Ending {
  /** Aborted once it is told. */
  signal: AbortSignal
  /** Fulfilled once it is told. */
  told: Promise<void>
  /** Tells it. */
  tell(): void
  /** What somebody is told who does not wait until everything is in order again. */
  lastWords: string | undefined
  /** Heeds nothing any more. */
  close(): void
}

/** npm and npx pass on the signal that the terminal has sent already. */
const sameWishMs = 500

/**
 * Heeds Ctrl-C, SIGTERM and SIGHUP, the end of a pipe on stdin, and a reader of stdout that went away: the first of them
 * tells the listener, a signal after that ends the process at once.
 */
export function heedEnding(): Ending {
  const controller = new AbortController()
  const { signal } = controller
  const told = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  const ending: Ending = { signal, told, tell, lastWords: undefined, close }
  let toldAt = 0
  function tell() {
    toldAt ||= Date.now()
    controller.abort()
  }
  function onSignal(name: Interruption) {
    if (!signal.aborted) return tell()
    if (Date.now() - toldAt < sameWishMs) return
    if (ending.lastWords !== undefined) process.stderr.write(`${visible(ending.lastWords)}\n`)
    process.exit(exitCodeOf[name])
  }
  for (const name of interruptions) process.on(name, onSignal)

  const { stdin, stdout } = process
  const hasPipe = isPipe(0)
  if (hasPipe) stdin.resume().once('end', tell).once('error', tell)
  // Elsewhere what is under way goes on without a reader; here there is no end to it.
  const others = stdout.listeners('error') as ((error: Error) => void)[]
  stdout.removeAllListeners('error').on('error', tell)

  function close() {
    for (const name of interruptions) process.removeListener(name, onSignal)
    if (hasPipe) stdin.removeListener('end', tell).removeListener('error', tell).destroy()
    stdout.removeListener('error', tell)
    for (const listener of others) stdout.on('error', listener)
  }
  return ending
}

/** A terminal is not read: a process in the background would be stopped for it. */
function isPipe(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor)
    return found.isFIFO() || found.isSocket()
  } catch {
    return false
  }
}
