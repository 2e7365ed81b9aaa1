import { string as text } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { LicetCommand } from '../../../base-command.ts'
import { inputName } from '../../../input-files.ts'
import { chooseFormat, formatSummary } from '../../../output-format.ts'
import { readPlan } from '../../../plan-files/plan-reading.ts'
import { comparisonIn } from '../../../plan-files/planned-comparison.ts'
import { canvasOf } from '../../../screens/canvas.ts'
import { comparisonLines } from '../../../screens/comparison.ts'
import { warningLines } from '../../../screens/comparison-advice.ts'
import { originLines } from '../../../screens/plan.ts'
import { selectionLines } from '../../../screens/selection.ts'

const formats = ['pretty', 'json', 'markdown'] as const

export default class CatalogPlanShow extends LicetCommand {
  static override summary = 'Show what a plan would change; needs no server.'
  static override description =
    'Reads a plan as "licet catalog plan" wrote it, refuses it when it was altered, and shows every change field by field, what was selected, the git revision and the digest.'
  static override examples = [
    '<%= config.bin %> catalog plan show plan.json',
    '<%= config.bin %> catalog plan show plan.json --format markdown',
    '<%= config.bin %> catalog plan show - --json < plan.json',
  ]
  static override args = { file: text({ required: true, description: 'The plan; - for stdin.' }) }
  static override flags = {
    format: string({ options: [...formats], default: 'pretty', summary: formatSummary(formats) }),
  }

  async run() {
    const { args, flags, metadata } = await this.parse(CatalogPlanShow)
    const format = chooseFormat(flags.format, metadata.flags.format?.setFromDefault !== true)
    const plan = await readPlan(args.file)
    const name = inputName(args.file)
    const comparison = comparisonIn(plan, name)
    if (format === 'pretty') {
      for (const line of selectionLines(comparison.selection)) this.log(line)
      for (const line of comparisonLines(comparison, canvasOf(process.stdout))) this.log(line)
      for (const line of originLines(plan)) this.log(line)
      for (const line of warningLines(comparison)) this.warn(line)
    }
    if (format === 'markdown') {
      const { planMarkdown } = await import('../../../screens/formats/plan-markdown.ts')
      this.log(planMarkdown(plan, name).trimEnd())
    }
    return plan
  }
}
