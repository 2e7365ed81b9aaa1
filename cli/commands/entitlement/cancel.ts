import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment, environmentName } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { confirmFlags } from '../../prompts/confirm-flags.ts'
import { confirmChange } from '../../prompts/confirming.ts'
import { entitlementArgument } from '../../record-ids.ts'
import { standingLine } from '../../screens/entitlement.ts'
import { getEntitlement, takeStep } from '../../tasks/entitlements.ts'
import { tenantNow } from '../../tenant-clock.ts'

export default class EntitlementCancel extends LicetCommand {
  static override summary = 'Cancel an entitlement for good.'
  static override description =
    'There is no way back; "licet entitlement suspend" has one. Its devices are refused from their next call on. Needs the scopes admin.entitlements:read and admin.entitlements:update.'
  static override examples = [
    '<%= config.bin %> entitlement cancel 01a1fe79-f7b7-75dc-87da-62de5eb021bd',
    '<%= config.bin %> entitlement cancel 01a1fe79-f7b7-75dc-87da-62de5eb021bd --yes --json',
  ]
  static override args = { entitlement: entitlementArgument }
  static override flags = { env: environmentFlag, ...confirmFlags }

  async run() {
    const { args, flags } = await this.parse(EntitlementCancel)
    const environment = await chooseEnvironment(flags.env)
    const { name, status } = await getEntitlement(environment, args.entitlement)
    const question = `Cancel "${name}" (${status}) in ${environmentName(environment)} for good?`
    await confirmChange({ question, environment, ...flags })
    const cancelled = await takeStep(environment, args.entitlement, 'cancel')
    this.log(standingLine(cancelled, tenantNow()))
    return cancelled
  }
}
