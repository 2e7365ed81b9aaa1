import { string as text } from '@oclif/core/args'
import { LicetCommand } from '../../base-command.ts'
import { asPlanned, chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { readPlan } from '../../plan-files/plan-reading.ts'
import { approve } from '../../prompts/approving.ts'
import { canAsk } from '../../prompts/asking.ts'
import { confirmFlags } from '../../prompts/confirm-flags.ts'
import { guardFlags } from '../../prompts/guard-flags.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { comparisonLines } from '../../screens/comparison.ts'
import { warningLines } from '../../screens/comparison-advice.ts'
import { selectionLines } from '../../screens/selection.ts'
import { applyPlan, holdAgainst } from '../../tasks/apply.ts'
import { visible } from '../../visible-text.ts'

export default class CatalogApply extends LicetCommand {
  static override summary = 'Apply a plan: exactly what was reviewed, or nothing.'
  static override description =
    'Refused when the plan was altered, when it was made for another tenant, or when something that it changes has moved since: then it names what moved, who moved it and when. An edit of anything else does not matter. What is there already is left as it is; a plan that was applied before says so and is fine; where what it changes has been put back since, it warns and applies it anew. Without --env it goes to the environment that the plan names (or LICET_URL). On a terminal it asks once more, unless --yes; elsewhere only a protected environment needs a word.'
  static override examples = [
    '<%= config.bin %> catalog apply plan.json',
    '<%= config.bin %> catalog apply plan.json --env staging --yes --json',
    '<%= config.bin %> catalog apply plan.json --confirm production --allow-price-change',
  ]
  static override args = { file: text({ required: true, description: 'The plan; - for stdin.' }) }
  static override flags = { env: environmentFlag, ...confirmFlags, ...guardFlags }

  async run() {
    const { args, flags } = await this.parse(CatalogApply)
    const plan = await readPlan(args.file)
    const named = process.env.LICET_URL ? undefined : plan.target.environment
    const chosen = await chooseEnvironment(flags.env ?? named ?? undefined)
    const environment = await asPlanned(chosen, plan.target.environment)
    const { comparison, standing, appliedBefore } = await holdAgainst(environment, plan, args.file)
    const { before, report } = comparison
    const { done, pending } = standing
    const outcome = { digest: plan.digest, alreadyThere: done, appliedBefore: appliedBefore?.id ?? null }
    if (pending.length === 0) {
      const alreadyApplied = plan.items.length > 0
      this.log(
        alreadyApplied
          ? `Already applied: ${before.name} is as the plan makes it; nothing was changed.`
          : `Nothing to do: the plan changes nothing.`,
      )
      return { importId: null, alreadyApplied, ...outcome, ...report }
    }
    for (const line of selectionLines(comparison.selection)) this.log(line)
    for (const line of comparisonLines(comparison, canvasOf(process.stdout))) this.log(line)
    if (done.length > 0) this.log(`${done.length} of the plan's ${plan.items.length} items are there already.`)
    if (!this.jsonEnabled()) for (const line of warningLines(comparison)) this.warn(line)
    if (appliedBefore)
      this.warn(
        visible(
          `This plan was applied before: import ${appliedBefore.id}, ${appliedBefore.importedAt}, by ${appliedBefore.importedByName}. What it changes has been put back since.`,
        ),
      )
    // The plan was reviewed when it was made: who cannot be asked again goes ahead, but for a protected environment.
    const yes = flags.yes || (!environment.protected && !canAsk())
    await approve(comparison, { deed: `Apply the plan to ${before.name}`, environment, ...flags, yes })
    const applied = await applyPlan(environment, plan, comparison)
    if (applied.importId === null) {
      this.log(`Already applied meanwhile: ${before.name} is as the plan makes it; nothing was changed.`)
      return {
        importId: null,
        alreadyApplied: true,
        ...outcome,
        alreadyThere: [...done, ...pending],
        ...applied.report,
      }
    }
    this.log(`Applied to ${before.name}: import ${applied.importId}, revision ${applied.report.environmentRevision}.`)
    return { importId: applied.importId, alreadyApplied: false, ...outcome, ...applied.report }
  }
}
