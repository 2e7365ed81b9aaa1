import { string as text } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { approve } from '../../prompts/approving.ts'
import { confirmFlags } from '../../prompts/confirm-flags.ts'
import { guardFlags } from '../../prompts/guard-flags.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { comparisonLines } from '../../screens/comparison.ts'
import { warningLines } from '../../screens/comparison-advice.ts'
import { stayingLines } from '../../screens/rollback.ts'
import { hasChanges } from '../../tasks/catalog-report.ts'
import { applyShown } from '../../tasks/promote.ts'
import { refuseErrors } from '../../tasks/report-errors.ts'
import { planRollback, refuseEdited } from '../../tasks/rollback.ts'

export default class CatalogRollback extends LicetCommand {
  static override summary = 'Put back what an import overwrote.'
  static override description =
    'Shows what it would change, asks, then does it all or nothing; as an import of its own, so that a rollback can be rolled back. What it cannot undo it lists: what the import created stays (nothing is ever removed), and so does a status that cannot go back. Refused when somebody has changed one of the items since, with who and when, unless --overwrite-later-edits says that they are put back all the same.'
  static override examples = [
    '<%= config.bin %> catalog rollback 01a1fe79-f7b7-75dc-87da-62de5eb021bd --env production',
    '<%= config.bin %> catalog rollback 01a1fe79-f7b7-75dc-87da-62de5eb021bd --env staging --yes --json',
  ]
  static override args = { import: text({ required: true, description: 'The id of the import (catalog history).' }) }
  static override flags = {
    env: environmentFlag,
    ...confirmFlags,
    ...guardFlags,
    'overwrite-later-edits': boolean({ summary: 'Put back items that somebody has changed since the import, too.' }),
  }

  async run() {
    const { args, flags } = await this.parse(CatalogRollback)
    const environment = await chooseEnvironment(flags.env)
    const rollback = await planRollback(environment, args.import)
    const { comparison, staying, imported } = rollback
    const { report, before, snapshot } = comparison
    const canvas = canvasOf(process.stdout)
    refuseErrors(comparison)
    for (const line of comparisonLines(comparison, canvas)) this.log(line)
    for (const line of stayingLines(staying, canvas)) this.log(line)
    if (!this.jsonEnabled()) for (const line of warningLines(comparison)) this.warn(line)
    if (!hasChanges(report)) return { importId: null, rolledBack: imported.id, ...report, staying }
    if (!flags['overwrite-later-edits']) await refuseEdited(environment, rollback)
    const deed = `Roll back import ${imported.id} in ${before.name}`
    await approve(comparison, { deed, environment, snapshot, ...flags })
    const done = await applyShown(environment, { snapshot, source: `rollback of ${imported.id}` }, report)
    this.log(`Rolled back in ${before.name}: import ${done.importId}, revision ${done.environmentRevision}.`)
    return { ...done, rolledBack: imported.id, staying }
  }
}
