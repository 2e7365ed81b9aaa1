import { once } from 'node:events'
import { fstatSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { isOn } from '../global-switches.ts'
import { readInputText } from '../input-files.ts'
import { exitCodes, Problem } from '../problems.ts'
import { visible } from '../visible-text.ts'

/** Whether a person is there to answer: stdin and stderr are terminals, and neither CI nor --no-input says otherwise. */
export function canAsk(): boolean {
  if (isOn(process.env.CI) || isOn(process.env.LICET_NO_INPUT)) return false
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** Asks for a line on stderr. Raises cli.answer_needed, naming the flag that answers, when nobody can be asked. */
export async function askLine(question: string, answeredBy: string): Promise<string> {
  return ask(question, answeredBy, process.stderr)
}

/** Asks yes or no; anything but y or yes is no. Raises cli.answer_needed as askLine does. */
export async function askYes(question: string, answeredBy: string): Promise<boolean> {
  return /^y(es)?$/i.test(await askLine(`${question} [y/N]`, answeredBy))
}

/** Asks for a secret, which is not shown while it is typed. Raises cli.answer_needed as askLine does, to end with `withoutAsking` when nobody can be asked. */
export async function askSecret(
  question: string,
  answeredBy: string,
  withoutAsking: number = exitCodes.failed,
): Promise<string> {
  return ask(question, answeredBy, new Writable({ write: (_chunk, _encoding, done) => done() }), withoutAsking)
}

/** The lines that are piped in, for a command that has no other use of stdin; else asks as askSecret does. */
export async function pipedOrAskedSecret(question: string, answeredBy: string): Promise<string> {
  return (await isPiped()) ? readInputText('-', { limit: 64 * 1024 }) : askSecret(question, answeredBy)
}

/**
 * Whether something comes on stdin that is no terminal. What says nothing for two seconds is taken for nothing, and left;
 * of a pipe, at whose other end a person may be unlocking a password manager, only after thirty.
 */
async function isPiped(): Promise<boolean> {
  const { stdin } = process
  if (stdin.isTTY || stdin.readableEnded) return false
  const patience = fstatSync(stdin.fd).isFIFO() ? 30_000 : 2000
  await once(stdin, 'readable', { signal: AbortSignal.timeout(patience) }).catch(() => undefined)
  if (stdin.readableLength > 0) return true
  stdin.destroy()
  return false
}

/** `echo` is where what is typed is shown. */
async function ask(
  question: string,
  answeredBy: string,
  echo: NodeJS.WritableStream,
  exitCode: number = exitCodes.failed,
): Promise<string> {
  const text = visible(question)
  if (!canAsk())
    throw new Problem('cli.answer_needed', `${text} – nobody can be asked here.`, { hint: answeredBy, exitCode })
  const reader = createInterface({ input: process.stdin, output: echo, terminal: true })
  const gone = new AbortController()
  reader.once('close', () => gone.abort())
  try {
    if (echo !== process.stderr) process.stderr.write(`${text} `)
    const answer = await reader.question(`${text} `, { signal: gone.signal })
    if (echo !== process.stderr) process.stderr.write('\n')
    return answer.trim()
  } catch (cause) {
    process.stderr.write('\n')
    throw new Problem('cli.answer_needed', 'No answer was given; nothing was changed.', { hint: answeredBy, cause })
  } finally {
    reader.close()
  }
}
