import { string as text } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { chooseFormat, formatSummary } from '../../output-format.ts'
import { exitCodes } from '../../problems.ts'
import { findProjectFile } from '../../project-file.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { driftLines } from '../../screens/drift.ts'
import { catalogDirectory } from '../../sides/side.ts'
import { targetName } from '../../tasks/diff.ts'
import { hasDrifted, readDrift } from '../../tasks/drift.ts'
import { appendJobSummary, findJobSummary } from '../../tasks/job-summary.ts'

const formats = ['pretty', 'json', 'markdown'] as const

export default class CatalogDrift extends LicetCommand {
  static override summary = 'Show what has changed in an environment since its last import.'
  static override description =
    'Field by field, with who changed it and when. Where there are files (a directory is named, or licet.yaml names one), each change also says whether the files say so already, whether importing them would put it back, or whether they leave it as it is. Exits with 2 when anything has changed, so that a scheduled job can tell; with 0 when nothing has, and before the first import.'
  static override examples = [
    '<%= config.bin %> catalog drift --env production',
    '<%= config.bin %> catalog drift catalog --env production --json',
    '<%= config.bin %> catalog drift --env production --summary',
  ]
  static override args = {
    directory: text({ description: 'The catalog: a directory, a file, git:REV:PATH, or - for stdin.' }),
  }
  static override flags = {
    env: environmentFlag,
    format: string({ options: [...formats], default: 'pretty', summary: formatSummary(formats) }),
    summary: boolean({ summary: 'Add the markdown to the job summary of GitHub Actions, whatever --format says.' }),
  }

  async run() {
    const { args, flags, metadata } = await this.parse(CatalogDrift)
    const format = chooseFormat(flags.format, metadata.flags.format?.setFromDefault !== true)
    const jobSummary = flags.summary ? findJobSummary() : undefined
    const environment = await chooseEnvironment(flags.env)
    const hasFiles = args.directory !== undefined || (await findProjectFile())?.catalog !== undefined
    const drift = await readDrift(environment, hasFiles ? await catalogDirectory(args.directory) : undefined)
    if (jobSummary !== undefined || format === 'markdown') {
      const { driftMarkdown } = await import('../../screens/formats/drift-markdown.ts')
      const markdown = driftMarkdown(drift, targetName({ kind: 'environment', environment }))
      if (jobSummary !== undefined) await appendJobSummary(jobSummary, markdown)
      if (format === 'markdown') this.log(markdown.trimEnd())
    }
    if (format === 'pretty') for (const line of driftLines(drift, environment, canvasOf(process.stdout))) this.log(line)
    if (hasDrifted(drift)) process.exitCode = exitCodes.negative
    return drift
  }
}
