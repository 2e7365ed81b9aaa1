import { wantsJson } from '../global-switches.ts'
import { withoutSecrets } from '../held-secrets.ts'
import { visible } from '../visible-text.ts'
import { writeLicense } from './writing.ts'

/**
 * Hands out the token of an answer, and returns the document of the run: to a file, with the lines on stdout; or to
 * stdout, alone there, with the lines on stderr. As JSON the document is all there is; it holds the token where no file does.
 */
export async function handOutToken(
  { token, ...answer }: { token: string } & Record<string, unknown>,
  out: string | undefined,
  lines: readonly string[],
): Promise<object> {
  if (out !== undefined) await writeLicense(out, `${token}\n`)
  if (!wantsJson()) {
    const said = withoutSecrets(lines.map((line) => `${line}\n`).join(''))
    if (out === undefined) process.stdout.write(`${token}\n`)
    if (out === undefined) process.stderr.write(said)
    else process.stdout.write(`Wrote the license token to ${visible(out)}.\n${said}`)
  }
  return out === undefined ? { token, ...answer } : { file: out, ...answer }
}
