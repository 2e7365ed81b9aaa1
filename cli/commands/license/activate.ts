import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { deviceFlags, readDevice } from '../../licenses/device-flags.ts'
import { handOutToken } from '../../licenses/handing-out.ts'
import { refuseFile } from '../../licenses/writing.ts'
import { sessionLines } from '../../screens/license.ts'
import { activateLicense } from '../../tasks/license-session.ts'
import { tenantNow } from '../../tenant-clock.ts'

export default class LicenseActivate extends LicetCommand {
  static override summary = 'Activate a device by an activation code, and get its license token.'
  static override description =
    'As an application does: the code and the fingerprint are all it takes, and of an environment only the URL is used. The same code and fingerprint again give the same session and take no further seat. The token goes to --out, readable by you alone, or to stdout; --json is the whole answer, with the public keys.'
  static override examples = [
    '<%= config.bin %> license activate --activation-code-file code.txt --fingerprint 5f3a… --out licence.jwt',
    'LICET_URL=https://licenses.example.com/t/acme <%= config.bin %> license activate --activation-code ABCDE-FGHJK --fingerprint 5f3a… > licence.jwt',
  ]
  static override flags = {
    env: environmentFlag,
    ...deviceFlags,
    'product-code': string({ summary: 'The product, where the entitlement asks for it.', helpValue: 'CODE' }),
    'instance-id': string({ summary: 'The running instance, where each takes a seat of its own.', helpValue: 'ID' }),
    'device-name': string({ summary: 'What people call the device.', helpValue: 'NAME' }),
    out: string({ summary: 'The file to write the token to; stdout without it.', helpValue: 'FILE' }),
    force: boolean({ summary: 'Replace a file that is there already.' }),
  }

  async run() {
    const { flags } = await this.parse(LicenseActivate)
    await refuseFile(flags.out, flags.force ?? false)
    const answer = await activateLicense(flags.env, {
      ...(await readDevice(flags)),
      productCode: flags['product-code'],
      applicationInstanceId: flags['instance-id'],
      deviceName: flags['device-name'],
    })
    return handOutToken(answer, flags.out, sessionLines(answer, tenantNow()))
  }
}
