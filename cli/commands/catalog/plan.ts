import { string as text } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { LicetCommand } from '../../base-command.ts'
import { chooseEnvironment } from '../../environments/choosing.ts'
import { environmentFlag } from '../../environments/environment-flag.ts'
import { planText } from '../../plan-files/plan-file.ts'
import { exitCodes, Problem } from '../../problems.ts'
import { guardNotice, guardsNeeded } from '../../prompts/guarding.ts'
import { canvasOf } from '../../screens/canvas.ts'
import { comparisonLines } from '../../screens/comparison.ts'
import { warningLines } from '../../screens/comparison-advice.ts'
import { applyHint } from '../../screens/plan.ts'
import { selectionLines } from '../../screens/selection.ts'
import { readPatterns } from '../../selection/patterns.ts'
import { selectionFlags } from '../../selection/selection-flags.ts'
import { catalogDirectory, type Side } from '../../sides/side.ts'
import { hasChanges } from '../../tasks/catalog-report.ts'
import { makePlan, writePlan } from '../../tasks/plan.ts'
import { requireOther } from '../../tasks/promote.ts'

export default class CatalogPlan extends LicetCommand {
  static override summary = 'Write down what importing a catalog would change, to be reviewed and then applied just so.'
  static override description =
    'Compares as "licet catalog diff" does and writes a plan: every change field by field, what each changed item must be like beforehand, and where it comes from; never a secret. The same change of the same files makes the same bytes. "licet catalog apply" applies it, or refuses when anything that it changes has moved; "licet catalog plan show" shows it without a server (a catalog in a directory named show is written ./show).'
  static override examples = [
    '<%= config.bin %> catalog plan catalog --env production --out plan.json',
    "<%= config.bin %> catalog plan catalog --env production --only 'plan-set:ACME-CAD@2.0/*' --out plan.json --exit-code",
    '<%= config.bin %> catalog plan --from staging --env production --out plan.json',
  ]
  static override args = {
    directory: text({ description: 'The catalog: a directory, a file, git:REV:PATH, or - for stdin.' }),
  }
  static override flags = {
    env: environmentFlag,
    from: string({ summary: 'The environment to take the catalog from, instead of files.', helpValue: 'ENV' }),
    out: string({ required: true, summary: 'The file to write the plan to; - for stdout.', helpValue: 'FILE' }),
    force: boolean({ summary: 'Overwrite a file that is no plan, too.' }),
    ...selectionFlags,
    'exit-code': boolean({ summary: 'Exit with 2 when there are changes.' }),
  }

  async run() {
    const { args, flags } = await this.parse(CatalogPlan)
    if (args.directory !== undefined && flags.from !== undefined)
      throw new Problem('cli.usage', 'Name either a directory or --from.')
    const patterns = readPatterns(flags)
    const environment = await chooseEnvironment(flags.env)
    const wanted: Side =
      flags.from === undefined
        ? { kind: 'files', path: await catalogDirectory(args.directory) }
        : { kind: 'environment', environment: await chooseEnvironment(flags.from) }
    if (wanted.kind === 'environment') requireOther(wanted.environment, environment)
    const { plan, comparison } = await makePlan(environment, wanted, patterns)
    const { report, selection } = comparison
    if (flags['exit-code'] && hasChanges(report)) process.exitCode = exitCodes.negative

    const isPiped = flags.out === '-'
    const stream = isPiped ? process.stderr : process.stdout
    if (!this.jsonEnabled()) {
      const lines = [...selectionLines(selection), ...comparisonLines(comparison, canvasOf(stream))]
      for (const line of lines) stream.write(`${line}\n`)
      const notice = guardNotice(environment, report)
      for (const line of [...warningLines(comparison), ...(notice === undefined ? [] : [notice])]) this.warn(line)
    }
    if (isPiped) {
      if (!this.jsonEnabled()) process.stdout.write(planText(plan))
      return plan
    }
    await writePlan(flags.out, plan, wanted, flags.force)
    for (const line of applyHint(plan, flags.out, environment)) this.log(line)
    const needs = guardsNeeded(environment, report)
    return { plan: flags.out, digest: plan.digest, ...report, ...(selection && { selection }), needs }
  }
}
