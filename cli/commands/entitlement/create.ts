import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment, envWords } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { madeLines } from '../../screens/entitlement.ts'
import { createEntitlement } from '../../tasks/entitlements.ts'

export default class EntitlementCreate extends LicetCommand {
  static override summary = 'Make an entitlement of an offer, for a customer.'
  static override description =
    'What the offer gives is copied: later edits of the offer change nothing here. A Draft, unless --activate; with --code an activation code comes along, to be handed out. Needs the scope admin.entitlements:create, and admin.customers:read with --customer.'
  static override examples = [
    '<%= config.bin %> entitlement create --from-offer "CAD Team@1" --customer "Acme GmbH" --order-id ORD-7 --activate --code',
    '<%= config.bin %> entitlement create --from-offer "CAD Team" --contact-email anna@acme.example --json',
  ]
  static override flags = {
    env: environmentFlag,
    'from-offer': string({
      required: true,
      summary: 'The offer by its name, its name and version, or its id; of several versions the newest that is sold.',
      helpValue: 'NAME[@VERSION]',
    }),
    customer: string({
      summary: 'Whose it is: the whole name, e-mail address or external reference of a customer, or the id.',
      helpValue: 'WHO',
    }),
    name: string({ summary: "Its name; the offer's, by default." }),
    'contact-email': string({ summary: 'Whom to write to about it.', helpValue: 'EMAIL' }),
    'order-id': string({ summary: 'The order that it is sold with.', helpValue: 'ID' }),
    'no-trial': boolean({ summary: 'Leave out the trial that the offer has.' }),
    activate: boolean({ summary: 'Make it Active at once.' }),
    code: boolean({ summary: 'Issue an activation code of it.' }),
  }

  async run() {
    const { flags } = await this.parse(EntitlementCreate)
    const environment = await chooseEnvironment(flags.env)
    const made = await createEntitlement(environment, {
      offer: flags['from-offer'],
      customer: flags.customer,
      name: flags.name,
      contactEmail: flags['contact-email'],
      orderId: flags['order-id'],
      noTrial: flags['no-trial'] ?? false,
      activate: flags.activate ?? false,
      code: flags.code ?? false,
    })
    for (const line of madeLines(made)) this.log(line)
    const { id, status } = made.entitlement
    if (status === 'Draft') this.log(`Next: licet entitlement activate ${id}${envWords(environment.name)}`)
    else if (made.activationCode === null)
      this.log(`Next: licet code create --entitlement ${id}${envWords(environment.name)}`)
    return made
  }
}
