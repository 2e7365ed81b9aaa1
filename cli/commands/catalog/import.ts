import { string as text } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import type { Snapshot } from '../../../catalog-schema/snapshot.ts'
import { LicetCommand } from '../../base-command.ts'
import { type ChosenEnvironment, chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { Problem } from '../../problems.ts'
import { approve } from '../../prompts/approving.ts'
import { confirmFlags } from '../../prompts/confirm-flags.ts'
import { confirmChange } from '../../prompts/confirming.ts'
import { guardFlags } from '../../prompts/guard-flags.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { comparisonLines } from '../../screens/comparison.ts'
import { warningLines } from '../../screens/comparison-advice.ts'
import { selectionLines } from '../../screens/selection.ts'
import { readPatterns } from '../../selection/patterns.ts'
import { selectionFlags } from '../../selection/selection-flags.ts'
import { readLocalCatalog } from '../../sides/local-catalog.ts'
import { catalogDirectory } from '../../sides/side.ts'
import { asSelected, type CatalogReport, hasChanges, type ImportReport } from '../../tasks/catalog-report.ts'
import { compareSnapshot } from '../../tasks/compare.ts'
import { importShown, requireRevision } from '../../tasks/import.ts'
import { isDriftKept } from '../../tasks/kept-drift.ts'
import { refuseErrors } from '../../tasks/report-errors.ts'

export default class CatalogImport extends LicetCommand {
  static override summary = 'Import a catalog into an environment, having shown what changes.'
  static override description =
    'Checks the files, shows the difference, asks, then imports all or nothing: exactly what was shown, or nothing when the environment has moved meanwhile. Never removes anything. Where nothing is left to do and the files say all that was edited since the last import, it is recorded as the last one, from which drift is measured; in a protected environment with its name.'
  static override examples = [
    '<%= config.bin %> catalog import --env staging',
    '<%= config.bin %> catalog import catalog --env staging --yes --json',
    "<%= config.bin %> catalog import --env staging --only 'plan-set:ACME-CAD@2.0/*' --exclude 'offer:*'",
    '<%= config.bin %> catalog import catalog --env production --confirm production --expected-revision 418',
  ]
  static override args = { directory: text({ description: 'The catalog: a directory, a file, or - for stdin.' }) }
  static override flags = {
    env: environmentFlag,
    ...selectionFlags,
    ...confirmFlags,
    ...guardFlags,
    'expected-revision': string({ summary: 'Refuse when the environment is at another revision.', helpValue: 'R' }),
    source: string({ summary: 'What the import history says of where it came from, such as a git revision.' }),
  }

  async run() {
    const { args, flags } = await this.parse(CatalogImport)
    const patterns = readPatterns(flags)
    const environment = await chooseEnvironment(flags.env)
    const catalog = await readLocalCatalog(await catalogDirectory(args.directory))
    const comparison = await compareSnapshot(environment, catalog, patterns)
    const { report, before, snapshot, selection } = comparison
    refuseErrors(comparison)
    requireRevision(flags['expected-revision'], report, before.name)
    for (const line of selectionLines(selection)) this.log(line)
    for (const line of comparisonLines(comparison, canvasOf(process.stdout))) this.log(line)
    if (!this.jsonEnabled()) for (const line of warningLines(comparison)) this.warn(line)
    const source = flags.source ?? catalog.name
    if (!hasChanges(report)) {
      // A part of the files cannot tell what the rest says of what has drifted.
      const kept = selection
        ? undefined
        : await this.recordKept(environment, { snapshot, source }, report, flags.confirm)
      return kept ?? { importId: null, ...report, ...(selection && { selection }) }
    }
    await approve(comparison, { deed: `Import into ${before.name}`, environment, ...flags })
    const imported = await importShown(environment, { snapshot, source }, report)
    this.log(`Imported into ${before.name}: import ${imported.importId}, revision ${imported.environmentRevision}.`)
    return asSelected(imported, comparison)
  }

  /**
   * Records files that change nothing as the last import, where they say all that has drifted: the import of them is the
   * only one that would ever tell so. Nothing was left to do, so what keeps it from being recorded is no failure.
   */
  private async recordKept(
    environment: ChosenEnvironment,
    catalog: { snapshot: Snapshot; source: string },
    shown: CatalogReport,
    confirm: string | undefined,
  ): Promise<ImportReport | undefined> {
    try {
      if (!(await isDriftKept(environment, catalog.snapshot, shown))) return undefined
      const question = 'The files say all that has drifted. Record them as the last import?'
      await confirmChange({ question, environment, yes: !environment.protected, confirm })
      const kept = await importShown(environment, catalog, shown)
      this.log(`Recorded as import ${kept.importId}: the files say all that had drifted; drift is measured from here.`)
      return kept
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { message, details } = error
      const hint = details.hint === undefined ? '' : ` Try: ${details.hint}`
      if (!this.jsonEnabled()) this.warn(`It is not recorded that the files say what has drifted. ${message}${hint}`)
      return undefined
    }
  }
}
