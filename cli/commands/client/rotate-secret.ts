import { string as text } from '@oclif/core/args'
import { LicetCommand } from '../../base-command.ts'
import { environmentsOfClient } from '../../environments/choosing.ts'
import { databaseFlag } from '../../operator/database-flag.ts'
import { tenantFlag } from '../../operator/tenant-flag.ts'
import { clientSecretLines, newSecretHint } from '../../screens/client-secret.ts'
import { rotateClientSecret } from '../../tasks/clients.ts'
import { visible } from '../../visible-text.ts'

export default class ClientRotateSecret extends LicetCommand {
  static override summary = 'Give a client a new secret, and show it this once.'
  static override description =
    'The secret before it stays good for 24 hours, so that nothing stops while it is replaced.'
  static override examples = ['<%= config.bin %> client rotate-secret CLIENT_ID --tenant acme']
  static override args = { client: text({ required: true, description: 'The client id.' }) }
  static override flags = { database: databaseFlag, tenant: tenantFlag }

  async run() {
    const { args, flags } = await this.parse(ClientRotateSecret)
    const client = await rotateClientSecret({ url: flags.database, tenant: flags.tenant }, args.client)
    this.log(visible(`The client "${client.name}" has a new secret; the one before is good for another 24 hours.`))
    // Files that cannot be read keep nobody from a secret that is shown this once.
    const environments = await environmentsOfClient(client.clientId).catch(() => [])
    const hint = newSecretHint(client.clientId, environments)
    for (const line of [...clientSecretLines(client), ...hint]) this.log(line)
    return client
  }
}
