import { string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { databaseFlag } from '../../operator/database-flag.ts'
import { tenantFlag } from '../../operator/tenant-flag.ts'
import { clientSecretLines, newClientHint } from '../../screens/client-secret.ts'
import { createClient } from '../../tasks/clients.ts'
import { visible } from '../../visible-text.ts'

export default class ClientCreate extends LicetCommand {
  static override summary = 'Register a client of a tenant, and show its secret this once.'
  static override description =
    'A scope is AUDIENCE.RESOURCE:VERB, with * for any resource or verb: admin.catalog:read compares and exports, admin.catalog:write imports. Opens the database itself; a server may run on it at the same time.'
  static override examples = [
    '<%= config.bin %> client create --tenant acme --name ci --scope admin.catalog:read',
    '<%= config.bin %> client create --tenant acme --name deploy --scope admin.catalog:read --scope admin.catalog:write --json',
  ]
  static override flags = {
    database: databaseFlag,
    tenant: tenantFlag,
    name: string({ required: true, summary: 'What it is for, in your words.' }),
    scope: string({
      required: true,
      multiple: true,
      multipleNonGreedy: true,
      summary: 'What it may do; repeatable.',
      helpValue: 'SCOPE',
    }),
  }

  async run() {
    const { flags } = await this.parse(ClientCreate)
    const place = { url: flags.database, tenant: flags.tenant }
    const client = await createClient(place, { name: flags.name, scopes: flags.scope })
    this.log(visible(`Registered the client "${client.name}" of the tenant ${flags.tenant}.`))
    const hint = newClientHint(client.clientId, flags.tenant, flags.database)
    for (const line of [...clientSecretLines(client), ...hint]) this.log(line)
    return client
  }
}
