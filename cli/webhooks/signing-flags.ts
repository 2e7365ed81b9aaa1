import { string } from '@oclif/core/flags'

/** The secret of a command that signs or verifies: where it is, since it never goes on a command line. */
export const secretFileFlag = string({
  summary: 'The file with the secret, several of a rotation one a line; - for stdin. LICET_WEBHOOK_SECRET without it.',
  helpValue: 'FILE',
})
