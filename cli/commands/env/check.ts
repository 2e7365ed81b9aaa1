import { string as text } from '@oclif/core/args'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { checkEnvironment } from '../../tasks/check-environment.ts'
import { visible } from '../../visible-text.ts'

export default class EnvCheck extends LicetCommand {
  static override summary = 'Check that an environment answers, and what its client may do there.'
  static override description =
    'Reaches the server, gets a token, and prints the tenant and the scopes. What goes wrong is explained: name, connection, TLS, a page instead of the server, credentials, the wrong tenant.'
  static override examples = ['<%= config.bin %> env check', '<%= config.bin %> env check production --json']
  static override args = { name: text({ description: 'The environment; the chosen one when it is left out.' }) }
  static override flags = { env: environmentFlag }

  async run() {
    const { args, flags } = await this.parse(EnvCheck)
    const result = await checkEnvironment(await chooseEnvironment(args.name ?? flags.env))
    if (!result.ready)
      this.warn(
        `${new URL('/readyz', result.url)} does not say that the server is ready; tokens are issued all the same.`,
      )
    if (!result.expectedTenantId && result.name !== null) {
      this.warn(
        `No tenant id is expected. Add the environment again with --tenant-id ${result.tenantId} to be safe from the wrong one.`,
      )
    }
    this.log(`${result.name ?? 'LICET_URL'} answers at ${result.url} (${result.milliseconds} ms)`)
    this.log(`  tenant  ${visible(result.tenantId)}`)
    this.log(`  client  ${visible(result.clientId)}`)
    this.log(`  scopes  ${visible(result.scopes.join(' ') || 'none: this client can do nothing')}`)
    return result
  }
}
