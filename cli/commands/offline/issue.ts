import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { exitCodes, Problem } from '../../problems.ts'
import { issuedLine } from '../../screens/license.ts'
import { issueOffline, planIssue, responseText } from '../../tasks/issue-offline.ts'
import { tenantNow } from '../../tenant-clock.ts'

export default class OfflineIssue extends LicetCommand {
  static override summary = 'Issue offline licences for requests.'
  static override description =
    'Takes the seat and writes the signed response, to be carried back to the machine. Several requests, or a directory of them, are answered in one go; one that is refused does not stop the others, and the exit code is 1. The same request is answered with the same licence and takes no further seat, so repeating it is safe; a file that says something else is only replaced with --force. Needs the scope operational.entitlements:create.'
  static override examples = [
    '<%= config.bin %> offline issue machine-7.json --out machine-7.response.json',
    '<%= config.bin %> offline issue requests --out responses --env production',
    '<%= config.bin %> offline issue - < machine-7.json > machine-7.response.json',
  ]
  static override strict = false
  static override usage = 'offline issue FILE…|DIR|- [--out PATH]'
  static override flags = {
    env: environmentFlag,
    out: string({
      summary: 'The file to write; a directory for several requests; stdout without it.',
      helpValue: 'PATH',
    }),
    force: boolean({ summary: 'Replace files that are there already and say something else.' }),
  }

  async run() {
    const { argv, flags } = await this.parse(OfflineIssue)
    if (argv.length === 0) throw new Problem('cli.usage', 'Name a request.', { hint: 'FILE, a directory, or -' })
    const plans = await planIssue(argv.map(String), flags.out)
    const results = await issueOffline(await chooseEnvironment(flags.env), plans, { force: flags.force ?? false })
    const [first] = results
    if (results.length === 1 && first && 'refused' in first) throw first.refused
    if (first && 'envelope' in first && first.response === undefined) {
      if (!this.jsonEnabled()) process.stdout.write(responseText(first.envelope))
      return first.envelope
    }
    for (const one of results) {
      if ('envelope' in one) this.log(issuedLine(one.response ?? '', one.envelope, tenantNow()))
      else if (!this.jsonEnabled()) this.warn(`${one.request}: ${one.refused.message}`)
    }
    const failed = results.flatMap((one) => ('refused' in one ? [{ request: one.request, error: one.refused }] : []))
    const issued = results.flatMap((one) =>
      'envelope' in one ? [{ request: one.request, response: one.response }] : [],
    )
    if (failed.length > 0) process.exitCode = exitCodes.failed
    if (plans.length > 1) this.log(`Issued ${issued.length} of ${plans.length}.`)
    return { issued, failed }
  }
}
