import { LicetCommand } from '../../base-command.ts'
import { readUserEnvironments } from '../../environments/user-file.ts'
import { findProjectFile } from '../../project-file.ts'
import { tableOf } from '../../table.ts'

export default class EnvList extends LicetCommand {
  static override summary = 'List the environments, your own and those of licet.yaml; never a secret.'
  static override description =
    'The one in use is marked with *. An environment that both files know is listed once, as commands would use it.'
  static override examples = ['<%= config.bin %> env list', '<%= config.bin %> env list --json']

  async run() {
    await this.parse(EnvList)
    const [project, user] = await Promise.all([findProjectFile(), readUserEnvironments()])
    const current = process.env.LICET_ENV || (project?.environment ?? user.current)
    const names = [...new Set([...Object.keys(user.environments), ...Object.keys(project?.environments ?? {})])].sort()
    const environments = names.map((name) => {
      const stored = user.environments[name]
      const shared = project?.environments[name]
      return {
        name,
        url: shared?.url ?? stored?.url ?? '',
        clientId: shared?.clientId ?? stored?.clientId ?? null,
        tenantId: shared?.tenantId ?? stored?.tenantId ?? null,
        protected: Boolean(shared?.protected || stored?.protected),
        hasSecret: Boolean(stored?.clientSecret),
        source: shared ? (stored ? 'both' : 'project') : 'user',
        current: name === current,
      }
    })
    if (process.env.LICET_URL) this.warn('LICET_URL is set: commands without --env go there, to none of these.')
    const rows = environments.map((each) => [
      each.current ? '*' : '',
      each.name,
      each.url,
      each.clientId,
      each.tenantId,
      each.protected ? 'yes' : 'no',
      each.hasSecret ? 'stored' : 'none',
    ])
    this.log(
      rows.length > 0
        ? tableOf(['', 'NAME', 'URL', 'CLIENT', 'TENANT', 'PROTECTED', 'SECRET'], rows)
        : 'No environments. Add one: licet env add',
    )
    return environments
  }
}
