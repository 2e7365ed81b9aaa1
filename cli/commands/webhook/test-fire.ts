import { string as text } from '@oclif/core/args'
import { boolean, integer } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment, envWords } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { exitCodes } from '../../problems.ts'
import { subscriptionArgument } from '../../record-ids.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { attemptLines, outcomeLine } from '../../screens/deliveries.ts'
import { awaitDelivery } from '../../tasks/webhook-deliveries.ts'
import { testFire } from '../../tasks/webhook-subscriptions.ts'
import { tenantNow } from '../../tenant-clock.ts'

export default class WebhookTestFire extends LicetCommand {
  static override summary = 'Send a sample event to a subscription alone, the way that all events go.'
  static override description =
    'Its data are an example of the type with "_test": true, which receivers must not apply. The subscription must be Active; whether it asks for such events does not matter. With --wait it tells of each attempt until the delivery is over; the exit code is 2 when it is dead-lettered, or still pending when the time is up. Needs the scope webhooks.subscriptions:update, and webhooks.deliveries:read with --wait.'
  static override examples = [
    '<%= config.bin %> webhook test-fire 01a1fe79-f7b7-75dc-87da-62de5eb021bd Entitlement.Activated',
    '<%= config.bin %> webhook test-fire 01a1fe79-f7b7-75dc-87da-62de5eb021bd Entitlement.Activated --wait --json',
  ]
  static override args = {
    subscription: subscriptionArgument,
    event: text({ required: true, description: 'The type of event; "licet webhook events" lists them.' }),
  }
  static override flags = {
    env: environmentFlag,
    wait: boolean({ summary: 'Wait until it is delivered or given up, and show the attempts.' }),
    timeout: integer({
      default: 60,
      min: 1,
      max: 7200,
      summary: 'How many seconds --wait waits at most.',
      helpValue: 'SECONDS',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(WebhookTestFire)
    const environment = await chooseEnvironment(flags.env)
    const fired = await testFire(environment, args.subscription, args.event)
    this.log(`Sent the event ${fired.eventId}, delivery ${fired.deliveryId}.`)
    if (!flags.wait) {
      this.log(`Next: licet webhook deliveries ${fired.deliveryId}${envWords(environment.name)}`)
      return fired
    }
    const canvas = canvasOf(process.stdout)
    let told = 0
    const delivery = await awaitDelivery(environment, fired.deliveryId, flags.timeout * 1000, ({ attempts }) => {
      for (const line of attemptLines(attempts.slice(told), canvas)) this.log(line)
      told = attempts.length
    })
    this.log(outcomeLine(delivery, tenantNow()))
    if (delivery.status !== 'Delivered') process.exitCode = exitCodes.negative
    return { ...fired, delivery }
  }
}
