import { string as text } from '@oclif/core/args'
import { LicetCommand } from '../../base-command.ts'
import { databaseFlag } from '../../operator/database-flag.ts'
import { tenantFlag } from '../../operator/tenant-flag.ts'
import { deleteClient } from '../../tasks/clients.ts'
import { visible } from '../../visible-text.ts'

export default class ClientDelete extends LicetCommand {
  static override summary = 'Delete a client of a tenant.'
  static override description = 'Its tokens are refused from the next call on.'
  static override examples = ['<%= config.bin %> client delete CLIENT_ID --tenant acme']
  static override args = { client: text({ required: true, description: 'The client id.' }) }
  static override flags = { database: databaseFlag, tenant: tenantFlag }

  async run() {
    const { args, flags } = await this.parse(ClientDelete)
    await deleteClient({ url: flags.database, tenant: flags.tenant }, args.client)
    this.log(visible(`Deleted the client ${args.client} of the tenant ${flags.tenant}.`))
    return { deleted: args.client }
  }
}
