import { string as text } from '@oclif/core/args'
import { integer } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { entitlementFlag } from '../../record-ids.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { ledgerLines } from '../../screens/usage.ts'
import { showLedger } from '../../tasks/usage.ts'

export default class UsageLedger extends LicetCommand {
  static override summary = 'List the movements of a credit balance, the newest first.'
  static override description =
    'Every deposit, grant, deduction and consumption, with what remained after it and who did it. Their amounts sum to what remains. Needs the scope operational.entitlements:read.'
  static override examples = [
    '<%= config.bin %> usage ledger render-credits --entitlement 01a1fe79-f7b7-75dc-87da-62de5eb021bd',
    '<%= config.bin %> usage ledger render-credits --entitlement 01a1fe79-f7b7-75dc-87da-62de5eb021bd --limit 500 --json',
  ]
  static override args = {
    metric: text({ required: true, description: 'The metric of the balance, exactly as the catalog has it.' }),
  }
  static override flags = {
    env: environmentFlag,
    entitlement: entitlementFlag,
    limit: integer({ char: 'n', default: 50, min: 1, max: 10_000, summary: 'The most movements to list.' }),
  }

  async run() {
    const { args, flags } = await this.parse(UsageLedger)
    const environment = await chooseEnvironment(flags.env)
    const { items, total } = await showLedger(environment, flags.entitlement, args.metric, flags.limit)
    if (items.length === 0) this.log('Nothing has moved it yet.')
    else for (const line of ledgerLines(items, canvasOf(process.stdout))) this.log(line)
    if (total > items.length) this.log(`The latest ${items.length} of ${total}; --limit shows more.`)
    return { total, entries: items }
  }
}
