import { resolve } from 'node:path'
import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { handOutToken } from '../../licenses/handing-out.ts'
import { tokenFile } from '../../licenses/token-file.ts'
import { refuseFile } from '../../licenses/writing.ts'
import { sessionLines } from '../../screens/license.ts'
import { renewLicense } from '../../tasks/license-session.ts'
import { tenantNow } from '../../tenant-clock.ts'

export default class LicenseRenew extends LicetCommand {
  static override summary = 'Begin the lease of a licence again, and get its new token.'
  static override description =
    'Exits 2 where the licence is not valid any more. Asks the tenant that issued the token, by its own address, unless --env or LICET_URL names another way there. The new token goes to --out, which may be the file itself, or to stdout.'
  static override examples = [
    '<%= config.bin %> license renew licence.jwt --out licence.jwt',
    '<%= config.bin %> license renew - < licence.jwt > renewed.jwt',
  ]
  static override args = { file: tokenFile }
  static override flags = {
    env: environmentFlag,
    out: string({ summary: 'The file to write the new token to; stdout without it.', helpValue: 'FILE' }),
    force: boolean({ summary: 'Replace a file that is there already, when it is not FILE itself.' }),
  }

  async run() {
    const { args, flags } = await this.parse(LicenseRenew)
    const { out, force } = flags
    const isItself = out !== undefined && resolve(out) === resolve(args.file)
    await refuseFile(out, isItself || (force ?? false))
    const answer = await renewLicense(args.file, flags.env)
    return handOutToken(answer, out, sessionLines(answer, tenantNow()))
  }
}
