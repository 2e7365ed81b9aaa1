import { integer, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { readInstant } from '../../instants.ts'
import { entitlementArgument } from '../../record-ids.ts'
import { standingLine } from '../../screens/entitlement.ts'
import { renewEntitlement } from '../../tasks/entitlements.ts'
import { tenantNow } from '../../tenant-clock.ts'

export default class EntitlementRenew extends LicetCommand {
  static override summary = 'Move the end of an entitlement: by a period, several, or to an instant.'
  static override description =
    'From its present end, or from now when that is over. A period is that of its renewal policy, a year where it has none; what has neither a policy nor an end is renewed only by --periods or --until. An expired one is Active again, and a trial becomes a paid licence. Needs the scope admin.entitlements:update.'
  static override examples = [
    '<%= config.bin %> entitlement renew 01a1fe79-f7b7-75dc-87da-62de5eb021bd',
    '<%= config.bin %> entitlement renew 01a1fe79-f7b7-75dc-87da-62de5eb021bd --until 2027-12-31T23:59:59Z',
  ]
  static override args = { entitlement: entitlementArgument }
  static override flags = {
    env: environmentFlag,
    until: string({
      parse: readInstant('--until'),
      summary: 'Its new end.',
      helpValue: 'INSTANT',
      exclusive: ['periods'],
    }),
    periods: integer({
      min: 1,
      max: 1000,
      summary: 'How many of its periods; 1 by default, where it has a renewal policy or an end.',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(EntitlementRenew)
    const { until, periods } = flags
    const renewed = await renewEntitlement(await chooseEnvironment(flags.env), args.entitlement, { until, periods })
    this.log(standingLine(renewed, tenantNow()))
    return renewed
  }
}
