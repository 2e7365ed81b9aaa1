import { LicetCommand } from '../../base-command.ts'
import { databaseFlag, databaseWords } from '../../operator/database-flag.ts'
import { tableOf } from '../../table.ts'
import { listTenants } from '../../tasks/tenants.ts'

export default class TenantList extends LicetCommand {
  static override summary = 'List the tenants of a database.'
  static override description = 'Opens the database itself; needs no server.'
  static override examples = ['<%= config.bin %> tenant list', '<%= config.bin %> tenant list --json']
  static override flags = { database: databaseFlag }

  async run() {
    const { flags, raw } = await this.parse(TenantList)
    const tenants = await listTenants(flags.database)
    if (tenants.length === 0)
      this.log(`There is no tenant yet. Next: licet tenant create SLUG${databaseWords(raw, flags.database)}`)
    else {
      const rows = tenants.map(({ slug, name, kind, id, path }) => [slug, name, kind, id, path])
      this.log(tableOf(['SLUG', 'NAME', 'KIND', 'ID', 'PATH'], rows))
    }
    return tenants
  }
}
