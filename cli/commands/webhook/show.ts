import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { subscriptionArgument } from '../../record-ids.ts'
import { subscriptionLines } from '../../screens/subscriptions.ts'
import { getSubscription } from '../../tasks/webhook-subscriptions.ts'
import { tenantNow } from '../../tenant-clock.ts'

export default class WebhookShow extends LicetCommand {
  static override summary = 'Show a webhook subscription.'
  static override description =
    'Where it sends what, and how it fares; its secret is never shown again. Needs the scope webhooks.subscriptions:read.'
  static override examples = ['<%= config.bin %> webhook show 01a1fe79-f7b7-75dc-87da-62de5eb021bd']
  static override args = { subscription: subscriptionArgument }
  static override flags = { env: environmentFlag }

  async run() {
    const { args, flags } = await this.parse(WebhookShow)
    const subscription = await getSubscription(await chooseEnvironment(flags.env), args.subscription)
    for (const line of subscriptionLines(subscription, tenantNow())) this.log(line)
    return subscription
  }
}
