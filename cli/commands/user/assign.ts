import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { entitlementFlag, userArgument } from '../../record-ids.ts'
import { assignUser } from '../../tasks/users.ts'
import { visible } from '../../visible-text.ts'

export default class UserAssign extends LicetCommand {
  static override summary = 'Assign an entitlement to an end user.'
  static override description =
    'The user, signed in, then activates without a code. Assigned again, nothing changes. Needs the scopes admin.users:read and admin.entitlements:update.'
  static override examples = [
    '<%= config.bin %> user assign anna@acme.example --entitlement 01a1fe79-f7b7-75dc-87da-62de5eb021bd',
  ]
  static override args = { user: userArgument }
  static override flags = { env: environmentFlag, entitlement: entitlementFlag }

  async run() {
    const { args, flags } = await this.parse(UserAssign)
    const user = await assignUser(await chooseEnvironment(flags.env), args.user, flags.entitlement, true)
    this.log(visible(`${user.email} may use the entitlement ${flags.entitlement}.`))
    return { userId: user.id, entitlementId: flags.entitlement, assigned: true }
  }
}
