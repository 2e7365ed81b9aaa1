import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { entitlementArgument } from '../../record-ids.ts'
import { standingLine } from '../../screens/entitlement.ts'
import { takeStep } from '../../tasks/entitlements.ts'
import { tenantNow } from '../../tenant-clock.ts'

export default class EntitlementRestartTrial extends LicetCommand {
  static override summary = 'Give a trial its whole time again, from now.'
  static override description = 'A trial that was over is Active again. Needs the scope admin.entitlements:update.'
  static override examples = ['<%= config.bin %> entitlement restart-trial 01a1fe79-f7b7-75dc-87da-62de5eb021bd']
  static override args = { entitlement: entitlementArgument }
  static override flags = { env: environmentFlag }

  async run() {
    const { args, flags } = await this.parse(EntitlementRestartTrial)
    const entitlement = await takeStep(await chooseEnvironment(flags.env), args.entitlement, 'restartTrial')
    this.log(standingLine(entitlement, tenantNow()))
    return entitlement
  }
}
