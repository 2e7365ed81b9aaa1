import { string as text } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { databaseFlag, databaseWords } from '../../operator/database-flag.ts'
import { shellWord } from '../../shell-word.ts'
import { createTenant } from '../../tasks/tenants.ts'
import { visible } from '../../visible-text.ts'

export default class TenantCreate extends LicetCommand {
  static override summary = 'Make a tenant: a catalog, customers and keys of its own.'
  static override description =
    'Opens the database itself, and makes it where there is none; a server may run on it at the same time. A sandbox tenant has a clock that can be moved forward.'
  static override examples = [
    '<%= config.bin %> tenant create acme --name "Acme GmbH"',
    '<%= config.bin %> tenant create acme-test --sandbox --database sqlite:./licet.db',
    '<%= config.bin %> tenant create acme --host-name licenses.acme.example --json',
  ]
  static override args = {
    slug: text({ required: true, description: 'Its name in URLs: lower-case letters, digits and hyphens.' }),
  }
  static override flags = {
    database: databaseFlag,
    name: string({ summary: 'Its name for people; the slug, by default.' }),
    sandbox: boolean({ summary: 'Make it a Sandbox tenant, for tests, instead of a Live one.' }),
    'host-name': string({
      multiple: true,
      multipleNonGreedy: true,
      summary: 'A host name under which it is reached without /t/SLUG; repeatable.',
      helpValue: 'HOST',
    }),
  }

  async run() {
    const { args, flags, raw } = await this.parse(TenantCreate)
    const tenant = await createTenant(flags.database, {
      slug: args.slug,
      name: flags.name ?? args.slug,
      sandbox: flags.sandbox,
      hostNames: flags['host-name'] ?? [],
    })
    this.log(
      visible(`Made the ${tenant.kind} tenant ${tenant.slug} (${tenant.id}); its base URL ends in ${tenant.path}.`),
    )
    const place = `${databaseWords(raw, flags.database)} --tenant ${tenant.slug}`
    this.log(`Next: licet client create${place} --name deploy --scope ${shellWord('admin.catalog:*')}`)
    return tenant
  }
}
