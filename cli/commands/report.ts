import { string as text } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../base-command.ts'
import { chooseEnvironment } from '../environments/choosing.ts'
import { environmentFlag } from '../environments/environment-flag.ts'
import { withoutSecrets } from '../held-secrets.ts'
import { readInstant } from '../instants.ts'
import { Problem } from '../problems.ts'
import { canvasOf } from '../screens/canvas.ts'
import { reportLines } from '../screens/report.ts'
import { type NamedReport, type ReportName, readReport, readReportCsv } from '../tasks/report.ts'
import { visible } from '../visible-text.ts'

const names = ['revenue', 'feature-value', 'usage', 'activations', 'ratings', 'campaigns'] as const

export default class Report extends LicetCommand {
  static override summary = 'Show a report: revenue, value of features, usage, activations, ratings, campaigns.'
  static override description =
    'As a table, on a terminal with bars; --csv is for a spreadsheet. Revenue tells how things stand now, all others of the time between --from and --to; metered usage is that of the periods that begin in it. Needs the scope admin.reports:read.'
  static override examples = [
    '<%= config.bin %> report revenue --env production',
    '<%= config.bin %> report activations --interval Month --from 2026-01-01T00:00:00Z',
    '<%= config.bin %> report usage --csv > usage.csv',
  ]
  static override args = { report: text({ required: true, options: [...names], description: 'Which one.' }) }
  static override flags = {
    env: environmentFlag,
    from: string({
      parse: readInstant('--from'),
      summary: 'Only what happened at this instant or later.',
      helpValue: 'DATE-TIME',
    }),
    to: string({
      parse: readInstant('--to'),
      summary: 'Only what happened before this instant.',
      helpValue: 'DATE-TIME',
    }),
    interval: string({ options: ['Day', 'Week', 'Month'], summary: 'Of activations: how long a line is; Day.' }),
    csv: boolean({ summary: 'Print the lines of the report as CSV (RFC 4180).' }),
  }

  async run() {
    const { args, flags } = await this.parse(Report)
    const { from, to, interval, csv } = flags
    const name = args.report as ReportName
    if (name === 'revenue' && (from ?? to) !== undefined)
      throw new Problem('cli.usage', 'Revenue is told as it stands now: no --from and no --to.')
    if (name !== 'activations' && interval !== undefined)
      throw new Problem('cli.usage', '--interval goes with activations.')
    if (csv && this.jsonEnabled())
      throw new Problem('cli.usage', 'Name either --json or --csv: stdout is one document.')
    const environment = await chooseEnvironment(flags.env)
    const query = { from, to, interval }
    if (csv) {
      const lines = withoutSecrets(await readReportCsv(environment, name, query))
      process.stdout.write(process.stdout.isTTY ? visible(lines, { lines: true }) : lines)
      return null
    }
    const report = await readReport(environment, name, query)
    for (const line of reportLines({ name, report } as NamedReport, canvasOf(process.stdout))) this.log(line)
    return report
  }
}
