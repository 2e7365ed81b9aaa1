import { integer } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { subscriptionListLines } from '../../screens/subscriptions.ts'
import { listSubscriptions } from '../../tasks/webhook-subscriptions.ts'
import { tenantNow } from '../../tenant-clock.ts'

export default class WebhookList extends LicetCommand {
  static override summary = 'List the webhook subscriptions.'
  static override description =
    'Each with where it sends what, and how it fares. Needs the scope webhooks.subscriptions:read.'
  static override examples = ['<%= config.bin %> webhook list', '<%= config.bin %> webhook list --env staging --json']
  static override flags = {
    env: environmentFlag,
    limit: integer({ char: 'n', default: 50, min: 1, max: 1000, summary: 'The most subscriptions to list.' }),
  }

  async run() {
    const { flags } = await this.parse(WebhookList)
    const { items, total } = await listSubscriptions(await chooseEnvironment(flags.env), flags.limit)
    if (items.length > 0)
      for (const line of subscriptionListLines(items, tenantNow(), canvasOf(process.stdout))) this.log(line)
    else {
      this.log('There is no subscription yet.')
      this.log("Next: licet webhook listen --subscribe '*'")
    }
    if (total > items.length) this.log(`The first ${items.length} of ${total}; --limit shows more.`)
    return { total, subscriptions: items }
  }
}
