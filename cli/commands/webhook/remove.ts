import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment, environmentName } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { confirmFlags } from '../../prompts/confirm-flags.ts'
import { confirmChange } from '../../prompts/confirming.ts'
import { subscriptionArgument } from '../../record-ids.ts'
import { removeSubscription } from '../../tasks/webhook-subscriptions.ts'

export default class WebhookRemove extends LicetCommand {
  static override summary = 'Remove a webhook subscription.'
  static override description =
    'Nothing is sent to it any more, and what was pending for it is given up. Needs the scope webhooks.subscriptions:delete.'
  static override examples = [
    '<%= config.bin %> webhook remove 01a1fe79-f7b7-75dc-87da-62de5eb021bd',
    '<%= config.bin %> webhook remove 01a1fe79-f7b7-75dc-87da-62de5eb021bd --yes --json',
  ]
  static override args = { subscription: subscriptionArgument }
  static override flags = { env: environmentFlag, ...confirmFlags }

  async run() {
    const { args, flags } = await this.parse(WebhookRemove)
    const environment = await chooseEnvironment(flags.env)
    const question = `Remove the webhook subscription ${args.subscription} in ${environmentName(environment)}?`
    await confirmChange({ question, environment, ...flags })
    await removeSubscription(environment, args.subscription)
    this.log(`Removed the webhook subscription ${args.subscription}.`)
    return { removed: args.subscription }
  }
}
