import { string as text } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { counted } from '../../counting.ts'
import { exitCodes } from '../../problems.ts'
import { catalogDirectory } from '../../sides/side.ts'
import { formatCatalog, formatStdin } from '../../tasks/format.ts'
import { visible } from '../../visible-text.ts'

export default class CatalogFormat extends LicetCommand {
  static override summary = 'Bring the files of a catalog into canonical order and style.'
  static override description =
    'Sections in the order of an import, items by key, fields as the schema has them, two blanks of indentation, quotes where something could be misread: what an export writes. Comments, blank lines between fields and line breaks (LF or CR LF) stay, and what the files say stays the same. The first line that names the schema for editors is kept where there is one. A file that cannot be formatted is left as it is and named, and the exit code is 1; with --check it is also 1 when a file would change. - formats stdin to stdout.'
  static override examples = [
    '<%= config.bin %> catalog format',
    '<%= config.bin %> catalog format catalog --check',
    '<%= config.bin %> catalog format - < plans.yaml',
  ]
  static override args = { directory: text({ description: 'The catalog: a directory, a file, or - for stdin.' }) }
  static override flags = {
    check: boolean({ summary: 'Write nothing; list the files that would change, and exit with 1 if there are any.' }),
  }

  async run() {
    const { args, flags } = await this.parse(CatalogFormat)
    const check = flags.check ?? false
    const directory = await catalogDirectory(args.directory)
    if (directory === '-') {
      const { text: formatted, isChanged } = await formatStdin()
      if (check && isChanged) process.exitCode = exitCodes.failed
      if (check) this.log(isChanged ? 'stdin would change.' : 'stdin is in canonical form already.')
      else if (!this.jsonEnabled()) process.stdout.write(formatted)
      return { changed: isChanged ? ['stdin'] : [], unchanged: isChanged ? 0 : 1, left: [], text: formatted }
    }
    const report = await formatCatalog(directory, { check })
    for (const file of report.changed) this.log(visible(file))
    for (const { file, message } of report.left) this.warn(`${file} is left as it is: ${message}`)
    const files = counted(report.changed.length, 'file')
    const said = check ? `${files} would change` : `Formatted ${files}`
    this.log(visible(`${said}; ${report.unchanged} in canonical form already.`))
    if (report.left.length > 0 || (check && report.changed.length > 0)) process.exitCode = exitCodes.failed
    return report
  }
}
