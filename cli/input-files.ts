import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { systemRefusal } from './ending.ts'
import { Problem } from './problems.ts'
import { shellWord } from './shell-word.ts'
import { warn } from './warning.ts'

/** The most that is read from a file or stdin unless a command says otherwise: the server's own limit for a catalog. */
const inputLimit = 64 * 1024 * 1024

/** How messages name what is read: `-` is stdin. */
export const inputName = (path: string) => (path === '-' ? 'stdin' : path)

/** The bytes of a file, or of stdin when the path is `-`, however slowly they come. Raises cli.input. */
export async function readInput(path: string, { limit = inputLimit } = {}): Promise<Buffer> {
  const name = inputName(path)
  const stream: Readable = path === '-' ? process.stdin : createReadStream(path)
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of stream) {
      size += part.length
      if (size > limit) throw new Problem('cli.input', `${name} is larger than ${limit} bytes.`)
      parts.push(Buffer.from(part))
    }
  } catch (error) {
    if (error instanceof Problem || !(error instanceof Error && 'code' in error)) throw error
    throw new Problem('cli.input', `Cannot read ${name}: ${systemRefusal(String(error.code))}.`, { cause: error })
  }
  return Buffer.concat(parts)
}

/** The text of a file or of stdin (`-`); must be UTF-8, a byte order mark is dropped. Raises cli.input. */
export async function readInputText(path: string, options: { limit?: number } = {}): Promise<string> {
  const bytes = await readInput(path, options)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Problem('cli.input', `${inputName(path)} is not UTF-8 text.`, { cause })
  }
}

/** Raises cli.usage when more than one of the paths is stdin. */
export function refuseSharedStdin(paths: readonly (string | undefined)[]): void {
  if (paths.filter((path) => path === '-').length > 1)
    throw new Problem('cli.usage', 'Only one of the files can come from stdin.')
}

/** The refusal where something must come from stdin, or another pipe; `empty` says what nothing is written as. */
export const nothingOnStdin = (empty: string, name = 'stdin') =>
  new Problem('cli.input', `There is nothing on ${name}.`, {
    hint: `look whether the command that writes there has failed; ${empty}`,
  })

/** A secret from a file or stdin: one line, without its line break. Raises cli.input when there is none, or more than a line. */
export async function readSecret(path: string): Promise<string> {
  const name = inputName(path)
  const secret = secretLine(await readInputText(path, { limit: 64 * 1024 }), name)
  if (secret === '') throw new Problem('cli.input', `There is no secret in ${name}.`)
  return secret
}

/** A text of one line without its line break. Raises cli.input when there is more than a line. */
export function secretLine(text: string, name: string): string {
  const line = text.replace(/\r?\n$/, '')
  if (/[\r\n\0]/.test(line)) throw new Problem('cli.input', `${name} holds more than one line; a secret is one line.`)
  return line
}

/** Warns of a file with a secret that other users can read or write; of no pipe or device, and not on Windows, which has no such modes. */
export async function warnIfShared(path: string): Promise<void> {
  if (path === '-' || /^\/dev\/(std|fd\/)/.test(path) || process.platform === 'win32') return
  const found = await stat(path).catch(() => null)
  if (!found?.isFile() || !(found.mode & 0o077)) return
  const mode = (found.mode & 0o777).toString(8)
  warn(`${path} holds a secret, and other users can read or write it (mode ${mode}): chmod 600 ${shellWord(path)}`)
}
