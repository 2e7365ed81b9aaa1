import { holdSecrets } from '../held-secrets.ts'
import { inputName, readInputText, warnIfShared } from '../input-files.ts'
import { Problem } from '../problems.ts'
import { askSecret, pipedOrAskedSecret } from '../prompts/asking.ts'
import { secretPrefix } from './signing.ts'

/** A secret of a subscription. */
export interface SigningSecret {
  text: string
  /** The line that it stands on: the same, unless there are blanks around it. */
  line: string
}

/** No more sign at once. */
const most = 10

const answeredBy = '--secret-file FILE (- for stdin), or LICET_WEBHOOK_SECRET'

/**
 * The secrets of a file or stdin (`-`), else of LICET_WEBHOOK_SECRET, else piped in where that may be, else asked for: one a
 * line, several during a rotation. From then on no output of this run holds them. Raises cli.input, cli.answer_needed; cli.usage where a secret
 * stands in the place of the file's name.
 */
export async function readSigningSecrets(
  file: string | undefined,
  { mayBePiped = false } = {},
): Promise<SigningSecret[]> {
  if (file?.startsWith(secretPrefix)) {
    holdSecrets(file)
    throw new Problem('cli.usage', 'That is a secret itself. A secret never goes on a command line.', {
      hint: answeredBy,
    })
  }
  if (file !== undefined) await warnIfShared(file)
  const ask = mayBePiped ? pipedOrAskedSecret : askSecret
  const text =
    file === undefined
      ? process.env.LICET_WEBHOOK_SECRET || (await ask('Webhook secret:', answeredBy))
      : await readInputText(file, { limit: 64 * 1024 })
  const secrets = secretsIn(text)
  for (const { text: secret, line } of secrets) holdSecrets(line, secret, secret.replace(secretPrefix, ''))
  const name = file === undefined ? 'LICET_WEBHOOK_SECRET' : inputName(file)
  if (secrets.length === 0) throw new Problem('cli.input', `There is no secret in ${name}.`, { hint: answeredBy })
  if (secrets.length > most)
    throw new Problem('cli.input', `${name} holds more than ${most} lines; no more than ${most} secrets sign at once.`)
  return secrets
}

/** The secrets of a text, one on each line that is not blank. */
export const secretsIn = (text: string): SigningSecret[] =>
  text.split(/\r?\n/).flatMap((line) => (line.trim() === '' ? [] : [{ text: line.trim(), line }]))
