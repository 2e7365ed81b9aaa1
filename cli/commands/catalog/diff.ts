import { string as text } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { chooseFormat, formatSummary } from '../../output-format.ts'
import { exitCodes, Problem } from '../../problems.ts'
import { guardNotice } from '../../prompts/guarding.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { comparisonLines, summaryLine } from '../../screens/comparison.ts'
import { nextStep, warningLines } from '../../screens/comparison-advice.ts'
import { selectionLines } from '../../screens/selection.ts'
import { readPatterns } from '../../selection/patterns.ts'
import { selectionFlags } from '../../selection/selection-flags.ts'
import { readSides } from '../../sides/side.ts'
import { hasChanges } from '../../tasks/catalog-report.ts'
import { diffSides } from '../../tasks/diff.ts'
import { appendJobSummary, findJobSummary } from '../../tasks/job-summary.ts'
import { locateErrors } from '../../tasks/report-errors.ts'
import { isTyped } from '../../typed-flags.ts'

const formats = ['pretty', 'json', 'markdown', 'github'] as const

export default class CatalogDiff extends LicetCommand {
  static override summary = 'Show field by field what importing a catalog would change.'
  static override description =
    'Compares the files of a directory (licet.yaml says which, else the working directory) with an environment; changes nothing. --from and --to take a directory, a file, - for stdin, the files of a git revision (git:REV:PATH as git show has it; ./PATH from the working directory), or an environment (env:NAME where the name is a file too); two sides of files need no server. Exit code 1 says that the catalog could not be imported, and why. The markdown starts with a hidden marker that is the same for the same --env, so that a workflow finds its own comment; annotations are warnings for changes that touch live entitlements, change a price or retire something, else notices.'
  static override examples = [
    '<%= config.bin %> catalog diff --env production',
    '<%= config.bin %> catalog diff catalog --env staging --exit-code',
    '<%= config.bin %> catalog diff --from git:origin/main:catalog --to catalog',
    '<%= config.bin %> catalog diff --from production --to staging --json',
    '<%= config.bin %> catalog diff --env production --format github --summary',
    "<%= config.bin %> catalog diff --env production --only 'feature:ACME-CAD@2.0/*' --exclude 'feature:*/SEATS'",
  ]
  static override args = {
    directory: text({ description: 'The catalog: a directory, a file, git:REV:PATH, or - for stdin.' }),
  }
  static override flags = {
    env: environmentFlag,
    from: string({ summary: 'The side before, instead of --env: files or an environment.', helpValue: 'SIDE' }),
    to: string({ summary: 'The side after, instead of the directory.', helpValue: 'SIDE' }),
    ...selectionFlags,
    format: string({ options: [...formats], default: 'pretty', summary: formatSummary(formats) }),
    summary: boolean({ summary: 'Add the markdown to the job summary of GitHub Actions, whatever --format says.' }),
    'exit-code': boolean({ summary: 'Exit with 2 when there are changes.' }),
    include: string({ options: ['unchanged'], summary: 'List the items that stay as they are, too.' }),
  }

  async run() {
    const { args, flags, metadata, raw } = await this.parse(CatalogDiff)
    const format = chooseFormat(flags.format, metadata.flags.format?.setFromDefault !== true)
    // LICET_ENV may well be set while --from says something else.
    if (flags.from !== undefined && isTyped(raw, 'env')) throw new Problem('cli.usage', 'Name either --env or --from.')
    const patterns = readPatterns(flags)
    const jobSummary = flags.summary ? findJobSummary() : undefined
    const { before, after } = await readSides({ ...flags, directory: args.directory })
    const outcome = await diffSides(before, after, { includeUnchanged: flags.include === 'unchanged', ...patterns })
    const { comparison, refusal } = outcome

    if (jobSummary !== undefined || format === 'markdown') {
      const { diffMarkdown } = await import('../../screens/formats/diff-outcome.ts')
      const markdown = diffMarkdown(outcome, before, after)
      if (jobSummary !== undefined) await appendJobSummary(jobSummary, markdown)
      if (format === 'markdown') this.log(markdown.trimEnd())
    }
    if (format === 'github') {
      const { diffCommands } = await import('../../screens/formats/diff-outcome.ts')
      for (const line of diffCommands(outcome)) this.log(line)
    }
    if (comparison === undefined) throw refusal
    const { selection } = comparison
    const report = { ...comparison.report, ...(selection && { selection }) }
    if (refusal !== undefined) {
      if (format !== 'json') throw refusal
      process.exitCode = exitCodes.failed
      return { ...report, errors: locateErrors(comparison) }
    }
    if (format === 'github') process.stderr.write(`${summaryLine(comparison)}\n`)
    if (format === 'pretty') {
      for (const line of selectionLines(selection)) this.log(line)
      for (const line of comparisonLines(comparison, canvasOf(process.stdout))) this.log(line)
      for (const line of warningLines(comparison)) this.warn(line)
      const notice = before.kind === 'environment' && guardNotice(before.environment, report)
      if (notice) this.warn(notice)
      const isDefault = args.directory === undefined && flags.to === undefined
      const next = nextStep(before, after, { isDefault, selection })
      if (next !== undefined && hasChanges(report)) this.log(next)
    }
    if (flags['exit-code'] && hasChanges(report)) process.exitCode = exitCodes.negative
    return report
  }
}
