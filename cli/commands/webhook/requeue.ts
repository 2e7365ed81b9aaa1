import { string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { counted } from '../../counting.ts'
import { chooseEnvironment, environmentName, envWords } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { readInstant } from '../../instants.ts'
import { Problem } from '../../problems.ts'
import { confirmFlags } from '../../prompts/confirm-flags.ts'
import { confirmChange } from '../../prompts/confirming.ts'
import { optionalDeliveryArgument, subscriptionFlag } from '../../record-ids.ts'
import { requeueDeliveries, requeueDelivery } from '../../tasks/webhook-deliveries.ts'
import { isTyped } from '../../typed-flags.ts'

export default class WebhookRequeue extends LicetCommand {
  static override summary = 'Have dead letters delivered again: one, or all of a subscription since an instant.'
  static override description =
    'Each has a fresh budget of attempts, and the same event with the same id; those of a suspended subscription wait until it is checked. Needs the scope webhooks.deliveries:update.'
  static override examples = [
    '<%= config.bin %> webhook requeue 01a1fe7a-0a55-7a38-9c5a-8bbf7be5f6b2',
    '<%= config.bin %> webhook requeue --subscription 01a1fe79-f7b7-75dc-87da-62de5eb021bd --since 2026-11-21T00:00:00Z --yes',
  ]
  static override args = { delivery: optionalDeliveryArgument }
  static override flags = {
    env: environmentFlag,
    subscription: subscriptionFlag,
    since: string({
      parse: readInstant('--since'),
      summary: 'Those that were given up at this instant or later.',
      helpValue: 'DATE-TIME',
    }),
    ...confirmFlags,
  }

  async run() {
    const { args, flags, raw } = await this.parse(WebhookRequeue)
    const { subscription: subscriptionId, since, yes, confirm } = flags
    const isBulk = args.delivery === undefined && subscriptionId !== undefined && since !== undefined
    if (args.delivery === undefined ? !isBulk : isTyped(raw, 'subscription', 'since'))
      throw new Problem('cli.usage', 'Name a delivery, or a subscription and an instant.', {
        hint: 'licet webhook requeue DELIVERY, or --subscription ID --since DATE-TIME',
      })
    const environment = await chooseEnvironment(flags.env)
    const what = isBulk
      ? `what the subscription ${subscriptionId} did not get since ${since}`
      : `the delivery ${args.delivery}`
    const question = `Requeue ${what} in ${environmentName(environment)}?`
    // One delivery was named by its id, and harms nobody: its receiver knows it by the webhook-id.
    await confirmChange({ question, environment, yes: isBulk || environment.protected ? yes : true, confirm })
    if (isBulk) {
      const answer = await requeueDeliveries(environment, { subscriptionId, since })
      this.log(`Requeued ${counted(answer.requeued, 'delivery', 'deliveries')}.`)
      return answer
    }
    const delivery = await requeueDelivery(environment, args.delivery!)
    this.log(
      `Requeued the delivery ${delivery.id}. Next: licet webhook deliveries ${delivery.id}${envWords(environment.name)}`,
    )
    return delivery
  }
}
