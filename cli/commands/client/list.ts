import { LicetCommand } from '../../base-command.ts'
import { databaseFlag, databaseWords } from '../../operator/database-flag.ts'
import { tenantFlag } from '../../operator/tenant-flag.ts'
import { tableOf } from '../../table.ts'
import { listClients } from '../../tasks/clients.ts'

export default class ClientList extends LicetCommand {
  static override summary = 'List the clients of a tenant, without their secrets.'
  static override description = 'Opens the database itself; needs no server.'
  static override examples = ['<%= config.bin %> client list --tenant acme']
  static override flags = { database: databaseFlag, tenant: tenantFlag }

  async run() {
    const { flags, raw } = await this.parse(ClientList)
    const clients = await listClients({ url: flags.database, tenant: flags.tenant })
    if (clients.length === 0) {
      this.log(`${flags.tenant} has no client yet.`)
      const place = `${databaseWords(raw, flags.database)} --tenant ${flags.tenant}`
      this.log(`Next: licet client create${place} --name NAME --scope SCOPE`)
    } else {
      const rows = clients.map(({ clientId, name, scopes }) => [clientId, name, scopes.join(' ')])
      this.log(tableOf(['CLIENT ID', 'NAME', 'SCOPES'], rows))
    }
    return clients
  }
}
