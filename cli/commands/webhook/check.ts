import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { subscriptionArgument } from '../../record-ids.ts'
import { challengeSubscription } from '../../tasks/webhook-subscriptions.ts'
import { visible } from '../../visible-text.ts'

export default class WebhookCheck extends LicetCommand {
  static override summary = 'Have the endpoint of a subscription challenged; one that passes is sent events.'
  static override description =
    'The server posts a challenge and looks at the answer: 2xx, the challenge itself, signed with the secret of the subscription. What is wrong is told, and the exit code is 2 then. It brings a suspended subscription back, too. Needs the scope webhooks.subscriptions:update.'
  static override examples = ['<%= config.bin %> webhook check 01a1fe79-f7b7-75dc-87da-62de5eb021bd']
  static override args = { subscription: subscriptionArgument }
  static override flags = { env: environmentFlag }

  async run() {
    const { args, flags } = await this.parse(WebhookCheck)
    const subscription = await challengeSubscription(await chooseEnvironment(flags.env), args.subscription)
    this.log(visible(`${subscription.url} answers as it must; the subscription is ${subscription.status}.`))
    return subscription
  }
}
