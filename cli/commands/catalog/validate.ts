import { string as text } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { paint } from '../../colour.ts'
import { counted } from '../../counting.ts'
import { countFindings } from '../../findings.ts'
import { inputName } from '../../input-files.ts'
import { chooseFormat, formatSummary } from '../../output-format.ts'
import { exitCodes } from '../../problems.ts'
import { duringWork } from '../../progress.ts'
import { findingLines } from '../../screens/findings.ts'
import { readSource } from '../../sides/local-catalog.ts'
import { catalogDirectory } from '../../sides/side.ts'
import { validateCatalog } from '../../tasks/validate.ts'
import { visible } from '../../visible-text.ts'

const formats = ['pretty', 'json', 'github', 'sarif'] as const

export default class CatalogValidate extends LicetCommand {
  static override summary = 'Check the files of a catalog, without a server.'
  static override description =
    'Syntax, every field, keys that occur twice, references and every rule, as importing into an empty environment would; all is told at once, each at its line, but of a file that is no YAML or JSON its first mistake. Exit code 1 says that there are errors; warnings alone are none.'
  static override examples = [
    '<%= config.bin %> catalog validate',
    '<%= config.bin %> catalog validate catalog --json',
    '<%= config.bin %> catalog validate catalog --format sarif > licet.sarif',
    '<%= config.bin %> catalog export - --env production | <%= config.bin %> catalog validate -',
  ]
  static override args = {
    directory: text({ description: 'The catalog: a directory, a file, git:REV:PATH, or - for stdin.' }),
  }
  static override flags = {
    format: string({ options: [...formats], default: 'pretty', summary: formatSummary(formats) }),
  }

  async run() {
    const { args, flags, metadata } = await this.parse(CatalogValidate)
    const format = chooseFormat(flags.format, metadata.flags.format?.setFromDefault !== true)
    const directory = await catalogDirectory(args.directory)
    const name = inputName(directory)
    const { findings, items, files } = await duringWork(`Checking ${name}`, async () => {
      const { source, shownName } = await readSource(directory)
      return validateCatalog(source, shownName)
    })
    const errors = findings.filter(({ severity }) => severity === 'error').length
    const extent = `${counted(items, 'item')} in ${counted(files, 'file')}`
    const summary = visible(`${name}: ${countFindings(findings)} (${extent}).`)

    if (format === 'github' || format === 'sarif') {
      const { validationDocument } = await import('../../screens/formats/validation-document.ts')
      for (const line of validationDocument(format, findings)) this.log(line)
      process.stderr.write(`${summary}\n`)
    } else {
      for (const finding of findings) for (const line of findingLines(finding, paint(process.stdout))) this.log(line)
      this.log(summary)
    }
    if (errors > 0) process.exitCode = exitCodes.failed
    return { valid: errors === 0, items, files, findings }
  }
}
