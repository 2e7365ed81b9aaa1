import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { entitlementFlag, userArgument } from '../../record-ids.ts'
import { assignUser } from '../../tasks/users.ts'
import { visible } from '../../visible-text.ts'

export default class UserUnassign extends LicetCommand {
  static override summary = 'Take an entitlement from an end user.'
  static override description =
    'Devices that the user has activated go on; "licet user show" lists them. Needs the scopes admin.users:read and admin.entitlements:delete.'
  static override examples = [
    '<%= config.bin %> user unassign anna@acme.example --entitlement 01a1fe79-f7b7-75dc-87da-62de5eb021bd',
  ]
  static override args = { user: userArgument }
  static override flags = { env: environmentFlag, entitlement: entitlementFlag }

  async run() {
    const { args, flags } = await this.parse(UserUnassign)
    const user = await assignUser(await chooseEnvironment(flags.env), args.user, flags.entitlement, false)
    this.log(visible(`${user.email} may not use the entitlement ${flags.entitlement} any more.`))
    return { userId: user.id, entitlementId: flags.entitlement, assigned: false }
  }
}
