import { string } from '@oclif/core/flags'
import type { ParserOutput } from '@oclif/core/interfaces'
import { shellWord } from '../shell-word.ts'
import { isTyped } from '../typed-flags.ts'

/** `--database URL`, for the operator's commands: they open the database themselves and need no server. */
export const databaseFlag = string({
  summary: 'The database: sqlite:FILE or postgres://USER@HOST/NAME.',
  description: 'A password belongs into LICET_DATABASE_URL (or PGPASSWORD), where no other user can read it.',
  env: 'LICET_DATABASE_URL',
  default: 'sqlite:./licet.db',
  helpValue: 'URL',
})

/**
 * ` --database URL` for the next command, where the URL stood on the command line: a variable holds for that one, too. A
 * password is left out.
 */
export const databaseWords = (raw: ParserOutput['raw'], url: string): string =>
  isTyped(raw, 'database') ? ` --database ${shellWord(withoutPassword(url))}` : ''

function withoutPassword(url: string): string {
  if (!/^postgres/.test(url)) return url
  const shown = new URL(url)
  shown.password = ''
  shown.searchParams.delete('password')
  return shown.href
}
