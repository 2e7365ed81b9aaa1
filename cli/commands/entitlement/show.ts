import { boolean, integer } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { entitlementArgument } from '../../record-ids.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { entitlementLines } from '../../screens/entitlement.ts'
import { seatsShown, showEntitlement } from '../../tasks/entitlements.ts'
import { tenantNow } from '../../tenant-clock.ts'

export default class EntitlementShow extends LicetCommand {
  static override summary = 'Show an entitlement: whose it is, how it stands, and who holds its seats.'
  static override description =
    'Customer, validity, plan, features, and each device with when it was last used, until when it goes on, and why it is not valid where it is not. Its codes are shown by "licet code list --entitlement ID". Needs the scopes admin.entitlements:read, admin.customers:read and admin.sessions:read.'
  static override examples = [
    '<%= config.bin %> entitlement show 01a1fe79-f7b7-75dc-87da-62de5eb021bd',
    '<%= config.bin %> entitlement show 01a1fe79-f7b7-75dc-87da-62de5eb021bd --all --json',
  ]
  static override args = { entitlement: entitlementArgument }
  static override flags = {
    env: environmentFlag,
    all: boolean({ summary: 'Every session there ever was: released, revoked and lapsed ones too.' }),
    limit: integer({ char: 'n', default: seatsShown, min: 1, max: 10_000, summary: 'The most sessions to list.' }),
  }

  async run() {
    const { args, flags } = await this.parse(EntitlementShow)
    const { all = false, limit } = flags
    const shown = await showEntitlement(await chooseEnvironment(flags.env), args.entitlement, { all, limit })
    for (const line of entitlementLines(shown, tenantNow(), canvasOf(process.stdout))) this.log(line)
    return shown
  }
}
