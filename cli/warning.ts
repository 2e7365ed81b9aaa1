import { paint } from './colour.ts'
import { wantsJson } from './global-switches.ts'
import { withoutSecrets } from './held-secrets.ts'
import { collectWarning } from './json-document.ts'
import { visible } from './visible-text.ts'

/** Warns on stderr, or in the `warnings` of the JSON document of a run that prints one. */
export function warn(message: string): void {
  const words = visible(withoutSecrets(message), { lines: true })
  if (wantsJson()) collectWarning(message)
  else process.stderr.write(`${paint(process.stderr).yellow('Warning:')} ${words}\n`)
}
