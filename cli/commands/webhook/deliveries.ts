import { integer, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { readInstant } from '../../instants.ts'
import { Problem } from '../../problems.ts'
import { optionalDeliveryArgument, subscriptionFlag } from '../../record-ids.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { deliveryLines, deliveryListLines } from '../../screens/deliveries.ts'
import { type DeliveryQuery, getDelivery, listDeliveries, readEventPattern } from '../../tasks/webhook-deliveries.ts'
import { tenantNow } from '../../tenant-clock.ts'
import { isTyped } from '../../typed-flags.ts'

const statuses = ['Pending', 'Delivered', 'DeadLettered'] as const

export default class WebhookDeliveries extends LicetCommand {
  static override summary = 'List deliveries of webhooks, the newest first; or show one with every attempt.'
  static override description =
    'One delivery is shown with when each attempt was made, how it ended, the beginning of what the endpoint answered, and the event itself. Needs the scope webhooks.deliveries:read.'
  static override examples = [
    '<%= config.bin %> webhook deliveries --status DeadLettered',
    "<%= config.bin %> webhook deliveries --subscription 01a1fe79-f7b7-75dc-87da-62de5eb021bd --event 'Entitlement.*' --since 2026-11-21T00:00:00Z",
    '<%= config.bin %> webhook deliveries 01a1fe7a-0a55-7a38-9c5a-8bbf7be5f6b2 --json',
  ]
  static override args = { delivery: optionalDeliveryArgument }
  static override flags = {
    env: environmentFlag,
    subscription: subscriptionFlag,
    status: string({ options: [...statuses], summary: 'How they stand.' }),
    event: string({
      parse: readEventPattern,
      summary: 'Their type of event, or the beginning of it: Entitlement.*',
      helpValue: 'TYPE',
    }),
    since: string({
      parse: readInstant('--since'),
      summary: 'Only those made at this instant or later.',
      helpValue: 'DATE-TIME',
    }),
    limit: integer({ char: 'n', default: 50, min: 1, max: 10_000, summary: 'The most deliveries to list.' }),
  }

  async run() {
    const { args, flags, raw } = await this.parse(WebhookDeliveries)
    const { subscription, status, event, since, limit } = flags
    const canvas = canvasOf(process.stdout)
    if (args.delivery !== undefined) {
      if (isTyped(raw, 'subscription', 'status', 'event', 'since'))
        throw new Problem('cli.usage', 'A delivery is named, or deliveries are listed by flags; not both.')
      const delivery = await getDelivery(await chooseEnvironment(flags.env), args.delivery)
      for (const line of deliveryLines(delivery, tenantNow(), canvas)) this.log(line)
      return delivery
    }
    const query = { subscription, status: status as DeliveryQuery['status'], event, since }
    const { items, total } = await listDeliveries(await chooseEnvironment(flags.env), query, limit)
    if (items.length === 0) this.log('There are none.')
    else for (const line of deliveryListLines(items, tenantNow(), canvas)) this.log(line)
    if (total > items.length) this.log(`The first ${items.length} of ${total}; --limit shows more.`)
    return { total, deliveries: items }
  }
}
