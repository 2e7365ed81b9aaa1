import { string as text } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { counted } from '../../counting.ts'
import { chooseEnvironment, environmentName } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { exportCatalog } from '../../tasks/compare.ts'
import { readSections, snapshotText, writeDirectory, writeSnapshotFile } from '../../tasks/export.ts'
import { visible } from '../../visible-text.ts'

export default class CatalogExport extends LicetCommand {
  static override summary = 'Write the catalog of an environment to files.'
  static override description =
    'Into a directory: an item stays in the file that has it, and only values that differ are touched there; comments, layout, order and quoting of all else stay, byte for byte. A value that became null or its default is written, since a field left out means "leave it as it is". New items come to the file of their product, suite, add-on or offer, or get one; items that only the files have stay; what of an item that both have only the files had (a plan of a plan set) goes, and is told. A name ending in .yaml or .json is one file, - is stdout; both hold the whole snapshot, nulls and defaults included.'
  static override examples = [
    '<%= config.bin %> catalog export catalog --env production',
    '<%= config.bin %> catalog export production.json --env production',
    '<%= config.bin %> catalog export - --env production --scope products --scope plans',
  ]
  static override args = {
    directory: text({ required: true, description: 'The directory, a file (.yaml or .json), or - for stdout.' }),
  }
  static override flags = {
    env: environmentFlag,
    scope: string({
      multiple: true,
      multipleNonGreedy: true,
      summary: 'Only these sections (products, plans, …); repeatable.',
      helpValue: 'SECTION',
    }),
    full: boolean({ summary: 'Keep nulls, empty lists and defaults in the files of a directory.' }),
    force: boolean({
      summary:
        'Write also what cannot be written without a loss: over files that cannot be read, and comments in the way.',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(CatalogExport)
    const scope = readSections(flags.scope ?? [])
    const environment = await chooseEnvironment(flags.env)
    const snapshot = await exportCatalog(environment, scope)
    for (const { key, message } of snapshot.warnings ?? []) this.warn(visible(`${key}: ${message}.`))
    if (args.directory === '-') {
      if (!this.jsonEnabled()) process.stdout.write(snapshotText('-', snapshot))
      return snapshot
    }
    if (/\.(?:ya?ml|json)$/i.test(args.directory)) {
      await writeSnapshotFile(args.directory, snapshot, flags.force)
      this.log(visible(`Wrote ${args.directory}.`))
      const written = { written: [args.directory], unchanged: [], onlyInFiles: [], membersDropped: [] }
      return { ...written, counts: snapshot.counts ?? {} }
    }
    const report = await writeDirectory(args.directory, snapshot, flags)
    const { written, unchanged, onlyInFiles, membersDropped } = report
    for (const key of onlyInFiles) this.warn(visible(`${key} is only in the files; an export removes no item.`))
    for (const { key, path } of membersDropped)
      this.warn(
        visible(
          `${key} ${path} was only in the files, and is gone from them: ${environmentName(environment)} has none.`,
        ),
      )
    this.log(
      visible(
        `Wrote ${counted(written.length, 'file')} to ${args.directory}; ${unchanged.length} say the same already.`,
      ),
    )
    return { ...report, counts: snapshot.counts ?? {} }
  }
}
