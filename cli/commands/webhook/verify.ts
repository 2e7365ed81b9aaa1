import { string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { readInstant } from '../../instants.ts'
import { exitCodes } from '../../problems.ts'
import { verificationLines } from '../../screens/webhook-verification.ts'
import { verifySavedDelivery } from '../../tasks/verify-webhook.ts'
import { secretFileFlag } from '../../webhooks/signing-flags.ts'

export default class WebhookVerify extends LicetCommand {
  static override summary = 'Verify a saved webhook delivery by the secret of its subscription.'
  static override description =
    'Which signature fits which secret, how old the timestamp is, and what the envelope says. When none fits it looks for what usually goes wrong (a body that was parsed and written again, a line break, a secret used without decoding, a timestamp in the other form) and says what the receiver should do. Needs no server. Exits 0 when verified, 2 when not, 1 when a file cannot be read. In the JSON document, age is in seconds.'
  static override examples = [
    {
      description: 'A request as it came over the wire: headers, a blank line, the body',
      command: '<%= config.bin %> webhook verify --request request.txt --secret-file secret.txt',
    },
    '<%= config.bin %> webhook verify --body body.json --headers headers.txt --secret-file secret.txt --at 2027-01-01T00:00:00Z',
    {
      description: 'The secret from a password manager',
      command:
        'pass acme/webhook | <%= config.bin %> webhook verify --body body.json --id 0199… --timestamp 2027-01-01T00:00:00Z --signature v1,K5oZ… --secret-file -',
    },
  ]
  static override flags = {
    request: string({
      summary: 'The file with the whole HTTP request; - for stdin.',
      helpValue: 'FILE',
    }),
    body: string({
      summary: 'The file with the body, byte for byte as it came; - for stdin.',
      helpValue: 'FILE',
    }),
    headers: string({
      summary: 'The file with the headers, lines of "Name: value" or a JSON object; - for stdin.',
      helpValue: 'FILE',
    }),
    id: string({ summary: 'The webhook-id, in the place of the one of the headers.', helpValue: 'ID' }),
    timestamp: string({ summary: 'The webhook-timestamp, likewise.', helpValue: 'TIMESTAMP' }),
    signature: string({ summary: 'The webhook-signature, likewise: one, or several with blanks.', helpValue: 'TEXT' }),
    'secret-file': secretFileFlag,
    tolerance: string({
      default: 'PT5M',
      summary: 'How old, or how far ahead, the timestamp may be (ISO 8601).',
      helpValue: 'DURATION',
    }),
    at: string({
      parse: readInstant('--at'),
      summary: 'The time to judge by, instead of now: of a delivery that was saved.',
      helpValue: 'DATE-TIME',
    }),
  }

  async run() {
    const { flags } = await this.parse(WebhookVerify)
    const now = flags.at === undefined ? Date.now() : Date.parse(flags.at)
    const judgement = await verifySavedDelivery({ ...flags, secretFile: flags['secret-file'] }, now, flags.tolerance)
    for (const line of verificationLines(judgement, now)) this.log(line)
    if (!judgement.verdict.verified) process.exitCode = exitCodes.negative
    return judgement.verdict
  }
}
