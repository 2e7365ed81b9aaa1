import { string as text } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { judgedAt, verifyingFlags } from '../../licenses/verifying-flags.ts'
import { exitCodes } from '../../problems.ts'
import { verdictLines } from '../../screens/license.ts'
import { verifyTokenFile } from '../../tasks/verify-license.ts'

export default class LicenseVerify extends LicetCommand {
  static override summary = 'Verify a license token by a public key alone.'
  static override description =
    'Its type, its ES256 signature and whether it is valid now; its device, issuer and audience when they are named. Needs no server: a token that was released or revoked since is only refused there. Exits 0 when valid, 2 when not, 1 when a file cannot be read.'
  static override examples = [
    {
      description: 'With the public keys of the tenant in use',
      command:
        '<%= config.bin %> api GET /.well-known/jwks.json > jwks.json && <%= config.bin %> license verify licence.jwt --public-key jwks.json',
    },
    '<%= config.bin %> license verify licence.jwt --public-key key.pem --fingerprint 5f3a… --json',
  ]
  static override args = { file: text({ required: true, description: 'The file with the token, or - for stdin.' }) }
  static override flags = {
    ...verifyingFlags,
    issuer: string({ summary: 'Who must have issued it: the base URL of the tenant.', helpValue: 'URL' }),
    audience: string({ summary: 'Whom it must be for: the base URL of the tenant.', helpValue: 'URL' }),
  }

  async run() {
    const { args, flags } = await this.parse(LicenseVerify)
    const moment = judgedAt(flags.at)
    const verified = await verifyTokenFile({ ...args, ...flags, publicKey: flags['public-key'], moment })
    for (const line of verdictLines(verified, moment.now)) this.log(line)
    if (!verified.valid) process.exitCode = exitCodes.negative
    return verified
  }
}
