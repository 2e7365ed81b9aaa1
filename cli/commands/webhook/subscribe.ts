import { string as text } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { refuseFile } from '../../licenses/writing.ts'
import { Problem } from '../../problems.ts'
import { subscriptionLines } from '../../screens/subscriptions.ts'
import { handOutSubscription } from '../../tasks/webhook-handing-out.ts'
import { createSubscription } from '../../tasks/webhook-subscriptions.ts'
import { attributesFrom, readHttpUrl } from '../../tasks/webhook-wish.ts'
import { tenantNow } from '../../tenant-clock.ts'
import { readOwnSecret } from '../../webhook-listening/own-secret.ts'

const repeatable = { multiple: true, multipleNonGreedy: true } as const

export default class WebhookSubscribe extends LicetCommand {
  static override summary = 'Subscribe an endpoint to events.'
  static override description =
    'Nothing is sent until the endpoint has passed its challenge: at once with --verify, or later by "licet webhook check". The secret that signs is the one of --secret-file or LICET_WEBHOOK_SECRET; else one is made and shown this once, or written to --out. What all of --entity-kind, --severity and --attribute say must hold of an event. An endpoint on this machine is easier had by "licet webhook listen --subscribe". Needs the scope webhooks.subscriptions:create, and webhooks.subscriptions:update with --verify.'
  static override examples = [
    "<%= config.bin %> webhook subscribe https://crm.example.com/hooks/licet --event 'Entitlement.*' --out secret.txt",
    '<%= config.bin %> webhook subscribe https://crm.example.com/hooks/licet --event MeteredUsage.OverageStatusChanged --severity Critical --severity OverUsage --secret-file secret.txt --verify',
    "<%= config.bin %> webhook subscribe https://crm.example.com/hooks/licet --event '*' --attribute isTrial=true --profile StandardWebhooks --json",
  ]
  static override args = {
    url: text({ required: true, parse: readHttpUrl('URL'), description: 'Where the events are posted to.' }),
  }
  static override flags = {
    env: environmentFlag,
    event: string({
      ...repeatable,
      required: true,
      summary: 'The events: a type, the beginning of types as Entitlement.*, or *; repeatable.',
      helpValue: 'PATTERN',
    }),
    name: string({ summary: "What it is for; the URL's host, by default." }),
    'entity-kind': string({ ...repeatable, summary: 'Only events about such records; repeatable.', helpValue: 'KIND' }),
    severity: string({ ...repeatable, summary: 'Only events of this level of usage; repeatable.', helpValue: 'LEVEL' }),
    attribute: string({
      ...repeatable,
      summary: 'Only events with this value, by attribute or dotted path into the data; repeatable.',
      description: 'A number, true and false are such; as text they stand in double quotes.',
      helpValue: 'KEY=VALUE',
    }),
    'callback-scope': string({
      ...repeatable,
      summary: 'What each delivery carries a short-lived token for; repeatable.',
      helpValue: 'SCOPE',
    }),
    profile: string({
      options: ['Default', 'StandardWebhooks'],
      summary: 'How the time of sending is written: RFC 3339, or as the libraries of Standard Webhooks expect it.',
    }),
    'secret-file': string({ summary: 'The file with the secret that signs; - for stdin.', helpValue: 'FILE' }),
    out: string({ summary: 'The file to write the secret to that is made.', helpValue: 'FILE' }),
    force: boolean({ summary: 'Replace a file that is there already.' }),
    verify: boolean({ summary: 'Have the endpoint challenged at once; exit 2 when it does not pass.' }),
  }

  async run() {
    const { args, flags } = await this.parse(WebhookSubscribe)
    await refuseFile(flags.out, flags.force ?? false)
    const attributes = attributesFrom(flags.attribute ?? [])
    const secret = await readOwnSecret(flags['secret-file'])
    if (secret !== undefined && flags.out !== undefined)
      throw new Problem('cli.usage', 'A secret is given, so that none is made for --out.')
    const environment = await chooseEnvironment(flags.env)
    const subscription = await createSubscription(environment, {
      url: args.url,
      eventTypes: flags.event,
      name: flags.name,
      filter: { entityKinds: flags['entity-kind'], severities: flags.severity, attributes },
      callbackScopes: flags['callback-scope'],
      signatureProfile: flags.profile as 'Default' | 'StandardWebhooks' | undefined,
      secret: secret?.text,
    })
    const lines = subscriptionLines(subscription, tenantNow())
    return handOutSubscription(subscription, { ...flags, environment, lines, isOwnSecret: secret !== undefined })
  }
}
