import { string as text } from '@oclif/core/args'
import { integer } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment, environmentName } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { entitlementLines, foundLines } from '../../screens/entitlement.ts'
import { seatsShown, showEntitlement } from '../../tasks/entitlements.ts'
import { findEntitlements } from '../../tasks/find-entitlements.ts'
import { tenantNow } from '../../tenant-clock.ts'
import { visible } from '../../visible-text.ts'

export default class EntitlementFind extends LicetCommand {
  static override summary = 'Find entitlements by whatever a customer tells you.'
  static override description =
    'A part of the name of the entitlement, of its customer, contact or user, be it assigned or with a device (name, e-mail address, reference), of an order id, a license key or a device name; or the fingerprint of a device, or an id of any of these or of a session. Letter case does not matter. The only one that is found is shown as "licet entitlement show" shows it, with its seats; in JSON as "shown", which is null where there are none or several. An activation code is a secret and not searched for. Needs the scopes admin.entitlements:read, admin.customers:read, admin.users:read and admin.sessions:read.'
  static override examples = [
    '<%= config.bin %> entitlement find "Acme GmbH"',
    '<%= config.bin %> entitlement find anna@acme.example --env production',
    '<%= config.bin %> entitlement find ORD-2026-0815 --json',
  ]
  static override args = { text: text({ required: true, description: 'What to look for.' }) }
  static override flags = {
    env: environmentFlag,
    limit: integer({ char: 'n', default: 20, min: 1, max: 50, summary: 'The most entitlements to list.' }),
  }

  async run() {
    const { args, flags } = await this.parse(EntitlementFind)
    const environment = await chooseEnvironment(flags.env)
    const found = await findEntitlements(environment, args.text, flags.limit)
    const canvas = canvasOf(process.stdout)
    const [only, another] = found.entitlements
    const shown =
      only && !another ? await showEntitlement(environment, only.id, { limit: seatsShown, all: false }) : null
    if (!only) this.log(visible(`${environmentName(environment)} has no entitlement that "${args.text}" leads to.`))
    else if (shown) for (const line of entitlementLines(shown, tenantNow(), canvas)) this.log(line)
    else for (const line of foundLines(found.entitlements, canvas)) this.log(line)
    if (found.more) this.log('There may be more: a longer text finds fewer, --limit lists more.')
    return { ...found, shown }
  }
}
