import { string as text } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { exitCodes, Problem } from '../../problems.ts'
import { canvasOf, comparisonLines } from '../../screens/comparison.ts'
import { nextStep, warningLines } from '../../screens/comparison-advice.ts'
import { catalogDirectory, readSide, type Side } from '../../sides/side.ts'
import { hasChanges } from '../../tasks/catalog-report.ts'
import { compareSides } from '../../tasks/compare.ts'
import { locateErrors, refuseErrors } from '../../tasks/report-errors.ts'

export default class CatalogDiff extends LicetCommand {
  static override summary = 'Show field by field what importing a catalog would change.'
  static override description =
    'Compares the files of a directory (licet.yaml says which, else the working directory) with an environment; changes nothing. --from and --to take a directory, a file, - for stdin, or an environment (env:NAME where the name is a file too); two sides of files need no server. Exit code 1 says that the catalog could not be imported, and why.'
  static override examples = [
    '<%= config.bin %> catalog diff --env production',
    '<%= config.bin %> catalog diff catalog --env staging --exit-code',
    '<%= config.bin %> catalog diff --from catalog-2025 --to catalog-2026',
    '<%= config.bin %> catalog diff --from production --to staging --json',
  ]
  static override args = { directory: text({ description: 'The catalog: a directory, a file, or - for stdin.' }) }
  static override flags = {
    env: environmentFlag,
    from: string({ summary: 'The side before, instead of --env: files or an environment.', helpValue: 'SIDE' }),
    to: string({ summary: 'The side after, instead of the directory.', helpValue: 'SIDE' }),
    format: string({ options: ['pretty', 'json'], default: 'pretty', summary: 'For people, or the report as JSON.' }),
    'exit-code': boolean({ summary: 'Exit with 2 when there are changes.' }),
    include: string({ options: ['unchanged'], summary: 'List the items that stay as they are, too.' }),
  }

  async run() {
    const { args, flags } = await this.parse(CatalogDiff)
    if (args.directory !== undefined && flags.to !== undefined)
      throw new Problem('cli.usage', 'Name either a directory or --to.')
    // LICET_ENV may well be set while --from says something else.
    if (flags.from !== undefined && this.argv.some((word) => /^(?:--env|-e)(?:=|$)/.test(word)))
      throw new Problem('cli.usage', 'Name either --env or --from.')
    if (flags.format === 'json') process.env.LICET_JSON = '1'
    const before: Side =
      flags.from === undefined
        ? { kind: 'environment', environment: await chooseEnvironment(flags.env) }
        : await readSide(flags.from)
    const after: Side =
      flags.to === undefined
        ? { kind: 'files', path: await catalogDirectory(args.directory) }
        : await readSide(flags.to)
    const comparison = await compareSides(before, after, { includeUnchanged: flags.include === 'unchanged' })
    const { report } = comparison
    if (report.errors.length > 0 && this.jsonEnabled()) {
      process.exitCode = exitCodes.failed
      return { ...report, errors: locateErrors(comparison) }
    }
    refuseErrors(comparison)
    for (const line of comparisonLines(comparison, canvasOf(process.stdout))) this.log(line)
    if (!this.jsonEnabled()) for (const line of warningLines(comparison)) this.warn(line)
    const next = nextStep(before, after)
    if (next !== undefined && hasChanges(report)) this.log(next)
    if (flags['exit-code'] && hasChanges(report)) process.exitCode = exitCodes.negative
    return report
  }
}
