import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { entitlementArgument } from '../../record-ids.ts'
import { standingLine } from '../../screens/entitlement.ts'
import { takeStep } from '../../tasks/entitlements.ts'
import { tenantNow } from '../../tenant-clock.ts'

export default class EntitlementActivate extends LicetCommand {
  static override summary = 'Make a Draft entitlement Active.'
  static override description = 'Its devices can be activated from then on. Needs the scope admin.entitlements:update.'
  static override examples = ['<%= config.bin %> entitlement activate 01a1fe79-f7b7-75dc-87da-62de5eb021bd']
  static override args = { entitlement: entitlementArgument }
  static override flags = { env: environmentFlag }

  async run() {
    const { args, flags } = await this.parse(EntitlementActivate)
    const entitlement = await takeStep(await chooseEnvironment(flags.env), args.entitlement, 'activate')
    this.log(standingLine(entitlement, tenantNow()))
    return entitlement
  }
}
