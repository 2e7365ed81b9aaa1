import { string as text } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { judgedAt, verifyingFlags } from '../../licenses/verifying-flags.ts'
import { exitCodes } from '../../problems.ts'
import { verdictLines } from '../../screens/license.ts'
import { verifyResponseFile } from '../../tasks/verify-license.ts'

export default class OfflineVerify extends LicetCommand {
  static override summary = 'Verify an offline response by a public key alone.'
  static override description =
    'Its RSA-SHA256 signature and whether it is valid now; with --request, that it answers that request, for its device. Needs no server. Exits 0 when valid, 2 when not, 1 when a file cannot be read.'
  static override examples = [
    '<%= config.bin %> offline verify machine-7.response.json --public-key jwks.json --request machine-7.json',
    '<%= config.bin %> offline verify machine-7.response.json --public-key offline.pem --fingerprint 5f3a… --json',
  ]
  static override args = { file: text({ required: true, description: 'The file with the response, or - for stdin.' }) }
  static override flags = {
    ...verifyingFlags,
    request: string({ summary: 'The file with the request that it must answer; - for stdin.', helpValue: 'FILE' }),
  }

  async run() {
    const { args, flags } = await this.parse(OfflineVerify)
    const moment = judgedAt(flags.at)
    const verified = await verifyResponseFile({ ...args, ...flags, publicKey: flags['public-key'], moment })
    for (const line of verdictLines(verified, moment.now)) this.log(line)
    if (!verified.valid) process.exitCode = exitCodes.negative
    return verified
  }
}
