import { string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { approve } from '../../prompts/approving.ts'
import { confirmFlags } from '../../prompts/confirm-flags.ts'
import { guardFlags } from '../../prompts/guard-flags.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { comparisonLines } from '../../screens/comparison.ts'
import { warningLines } from '../../screens/comparison-advice.ts'
import { selectionLines } from '../../screens/selection.ts'
import { readPatterns } from '../../selection/patterns.ts'
import { selectionFlags } from '../../selection/selection-flags.ts'
import { asSelected, hasChanges } from '../../tasks/catalog-report.ts'
import { compareSnapshot, exportCatalog } from '../../tasks/compare.ts'
import { applyShown, requireOther } from '../../tasks/promote.ts'
import { refuseErrors } from '../../tasks/report-errors.ts'

export default class CatalogPromote extends LicetCommand {
  static override summary = 'Make the catalog of one environment like that of another.'
  static override description =
    'Exports from the one, shows the difference to the other, asks, then applies it all or nothing. An edit of something else in the other environment meanwhile does not matter; one of what changes is refused, with who made it and when. Never removes anything.'
  static override examples = [
    '<%= config.bin %> catalog promote --from staging --to production',
    "<%= config.bin %> catalog promote --from staging --to production --only 'product:ACME-CAD@2.0'",
    '<%= config.bin %> catalog promote --from staging --to production --confirm production --json',
  ]
  static override flags = {
    from: string({ required: true, summary: 'The environment to take the catalog from.', helpValue: 'ENV' }),
    to: string({ required: true, summary: 'The environment to change.', helpValue: 'ENV' }),
    ...selectionFlags,
    ...confirmFlags,
    ...guardFlags,
  }

  async run() {
    const { flags } = await this.parse(CatalogPromote)
    const patterns = readPatterns(flags)
    const [source, target] = [await chooseEnvironment(flags.from), await chooseEnvironment(flags.to)]
    requireOther(source, target)
    const exported = await exportCatalog(source)
    const comparison = await compareSnapshot(target, { name: flags.from, snapshot: exported }, patterns)
    const { report, snapshot, selection } = comparison
    refuseErrors(comparison)
    for (const line of selectionLines(selection)) this.log(line)
    for (const line of comparisonLines(comparison, canvasOf(process.stdout))) this.log(line)
    if (!this.jsonEnabled()) for (const line of warningLines(comparison)) this.warn(line)
    if (!hasChanges(report)) return { importId: null, ...report, ...(selection && { selection }) }
    await approve(comparison, { deed: `Promote ${flags.from} to ${flags.to}`, environment: target, snapshot, ...flags })
    const applied = await applyShown(target, { snapshot, source: `promoted from ${flags.from}` }, report)
    this.log(`Promoted to ${flags.to}: import ${applied.importId}, revision ${applied.environmentRevision}.`)
    return asSelected(applied, comparison)
  }
}
