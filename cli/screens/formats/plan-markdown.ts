import type { PlanFile } from '../../plan-files/plan-file.ts'
import { comparisonIn } from '../../plan-files/planned-comparison.ts'
import { originLines } from '../plan.ts'
import { comparisonMarkdown, mostCharacters } from './comparison-markdown.ts'
import { codeBlock, folded } from './markdown-text.ts'

/** A plan as GitHub Markdown: as a diff, and below it where it comes from and its digest; `name` is what the plan is called. */
export function planMarkdown(plan: PlanFile, name: string): string {
  const origin = folded('Where it comes from', codeBlock(originLines(plan)))
  const target = plan.target.environment ?? plan.target.tenantId
  const limit = mostCharacters - origin.length - 2
  const body = comparisonMarkdown(comparisonIn(plan, name), target, { limit, command: 'plan' })
  return `${body.trimEnd()}\n\n${origin}\n`
}
