import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { entitlementArgument } from '../../record-ids.ts'
import { standingLine } from '../../screens/entitlement.ts'
import { type Step, takeStep } from '../../tasks/entitlements.ts'
import { tenantNow } from '../../tenant-clock.ts'

/** What the commands share that take a step in an entitlement's life without asking, and say how it stands then. */
export abstract class StepCommand extends LicetCommand {
  static override args = { entitlement: entitlementArgument }
  static override flags = { env: environmentFlag }

  abstract readonly step: Step

  async run() {
    const { args, flags } = await this.parse(StepCommand)
    const entitlement = await takeStep(await chooseEnvironment(flags.env), args.entitlement, this.step)
    this.log(standingLine(entitlement, tenantNow()))
    return entitlement
  }
}
