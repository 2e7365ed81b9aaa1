import { string as text } from '@oclif/core/args'
import { LicetCommand } from '../../base-command.ts'
import { choosePlace } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { eventTypeLines, eventTypeListLines } from '../../screens/event-types.ts'
import { findEventType, listEventTypes } from '../../tasks/webhook-events.ts'

export default class WebhookEvents extends LicetCommand {
  static override summary = 'List what can be subscribed to; of one event what its data hold, and an example.'
  static override description =
    'Anyone may ask: of an environment only the URL is used. With --json each comes with the JSON Schema of its data and an example.'
  static override examples = [
    '<%= config.bin %> webhook events',
    '<%= config.bin %> webhook events Entitlement.Activated',
    '<%= config.bin %> webhook events --env staging --json',
  ]
  static override args = { event: text({ description: 'The type of event to show; all are listed without it.' }) }
  static override flags = { env: environmentFlag }

  async run() {
    const { args, flags } = await this.parse(WebhookEvents)
    const canvas = canvasOf(process.stdout)
    const place = await choosePlace(flags.env)
    if (args.event !== undefined) {
      const found = await findEventType(place, args.event)
      for (const line of eventTypeLines(found, canvas)) this.log(line)
      return found
    }
    const eventTypes = await listEventTypes(place)
    for (const line of eventTypeListLines(eventTypes, canvas)) this.log(line)
    return { eventTypes }
  }
}
