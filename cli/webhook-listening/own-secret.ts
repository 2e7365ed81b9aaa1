import { randomBytes } from 'node:crypto'
import { holdSecrets } from '../held-secrets.ts'
import { Problem } from '../problems.ts'
import { secretPrefix } from '../webhooks/signing.ts'
import { readSigningSecrets, type SigningSecret } from '../webhooks/signing-secrets.ts'

/** The secret that a subscription is to have: of a file or stdin (`-`), else of LICET_WEBHOOK_SECRET; undefined when neither says one. Raises cli.input for several. */
export async function readOwnSecret(file: string | undefined): Promise<SigningSecret | undefined> {
  if (file === undefined && !process.env.LICET_WEBHOOK_SECRET) return undefined
  const [secret, another] = await readSigningSecrets(file)
  if (another) throw new Problem('cli.input', 'A subscription has one secret, and there are several.')
  return secret
}

/** A fresh secret, which no output of this run holds. */
export function makeSecret(): SigningSecret {
  const key = randomBytes(32).toString('base64')
  const text = secretPrefix + key
  holdSecrets(text, key)
  return { text, line: text }
}
