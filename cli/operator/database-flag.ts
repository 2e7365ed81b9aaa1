import { string } from '@oclif/core/flags'

/** `--database URL`, for the operator's commands: they open the database themselves and need no server. */
export const databaseFlag = string({
  summary: 'The database: sqlite:FILE or postgres://USER@HOST/NAME.',
  description: 'A password belongs into LICET_DATABASE_URL (or PGPASSWORD), where no other user can read it.',
  env: 'LICET_DATABASE_URL',
  default: 'sqlite:./licet.db',
  helpValue: 'URL',
})
