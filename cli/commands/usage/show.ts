import { string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { holderFlags, holderOf } from '../../metering/holder-flags.ts'
import { Problem } from '../../problems.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { meterLines } from '../../screens/usage.ts'
import { showUsageOfEntitlement, showUsageOfSession } from '../../tasks/usage.ts'
import { tenantNow } from '../../tenant-clock.ts'

export default class UsageShow extends LicetCommand {
  static override summary = 'Show what is used of the metrics of an entitlement, and what is left.'
  static override description =
    'With --entitlement every metric that it is metered with, for support; needs the scope operational.entitlements:read. With --license and --metric what a device may know: asks the tenant that issued the token, unless --env or LICET_URL names another way there.'
  static override examples = [
    '<%= config.bin %> usage show --entitlement 01a1fe79-f7b7-75dc-87da-62de5eb021bd --env production',
    '<%= config.bin %> usage show --license licence.jwt --metric render-minutes',
    '<%= config.bin %> usage show --license - --metric render-minutes --json < licence.jwt',
  ]
  static override flags = {
    env: environmentFlag,
    ...holderFlags,
    metric: string({ summary: 'The metric, exactly as the catalog has it.', helpValue: 'METRIC' }),
  }

  async run() {
    const parsed = await this.parse(UsageShow)
    const shown = await this.read(holderOf(parsed), parsed.flags)
    const { meters } = shown
    if (meters.length === 0) this.log('It is not metered.')
    else for (const line of meterLines(meters, tenantNow(), canvasOf(process.stdout))) this.log(line)
    return shown
  }

  private async read(holder: ReturnType<typeof holderOf>, { env, metric }: { env?: string; metric?: string }) {
    if ('entitlement' in holder) return showUsageOfEntitlement(await chooseEnvironment(env), holder.entitlement, metric)
    if (metric !== undefined) return showUsageOfSession(holder.license, metric, env)
    throw new Problem('cli.usage', 'A device asks about one metric.', { hint: '--metric METRIC' })
  }
}
