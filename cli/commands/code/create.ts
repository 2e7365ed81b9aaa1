import { integer, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { readInstant } from '../../instants.ts'
import { entitlementFlag } from '../../record-ids.ts'
import { createCode } from '../../tasks/codes.ts'
import { visible } from '../../visible-text.ts'

export default class CodeCreate extends LicetCommand {
  static override summary = 'Issue an activation code of an entitlement.'
  static override description =
    "The code alone goes to stdout, to be handed out; what else is to be said goes to stderr. It is made by the entitlement's key issuance policy. Needs the scope admin.entitlements:create."
  static override examples = [
    '<%= config.bin %> code create --entitlement 01a1fe79-f7b7-75dc-87da-62de5eb021bd',
    '<%= config.bin %> code create --entitlement 01a1fe79-f7b7-75dc-87da-62de5eb021bd --max-devices 1 --email anna@acme.example --json',
  ]
  static override flags = {
    env: environmentFlag,
    entitlement: entitlementFlag,
    'max-devices': integer({
      min: 1,
      max: 2_147_483_647,
      summary: "How many devices may hold a seat by it; the entitlement's own limit, by default.",
    }),
    email: string({ summary: 'The e-mail address of the person it is for.' }),
    expires: string({
      parse: readInstant('--expires'),
      summary: 'Until when it activates; as long as the entitlement, by default.',
      helpValue: 'DATE-TIME',
    }),
    fingerprint: string({ summary: 'The only device that may activate by it.' }),
  }

  async run() {
    const { flags } = await this.parse(CodeCreate)
    const { 'max-devices': maxDeviceActivations, email, expires, fingerprint } = flags
    const code = await createCode(await chooseEnvironment(flags.env), flags.entitlement, {
      ...(maxDeviceActivations !== undefined && { maxDeviceActivations }),
      ...(email !== undefined && { email }),
      ...(expires !== undefined && { expirationTimeStamp: expires }),
      ...(fingerprint !== undefined && { fingerprint }),
    })
    this.log(visible(code.activationCode))
    if (!this.jsonEnabled()) process.stderr.write(visible(`Issued the activation code ${code.id}.`).concat('\n'))
    return code
  }
}
