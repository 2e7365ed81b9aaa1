import type { PlanFile } from '../../plan-files/plan-file.ts'
import { comparisonIn, originLines } from '../plan.ts'
import { selectionLines } from '../selection.ts'
import { comparisonMarkdown, mostCharacters } from './comparison-markdown.ts'
import { codeBlock, folded } from './markdown-text.ts'

const mostLines = 60

/** A plan as GitHub Markdown: as a diff, and below it what was selected, where it comes from and its digest; `name` is what the plan is called. */
export function planMarkdown(plan: PlanFile, name: string): string {
  const comparison = comparisonIn(plan, name)
  const selected = selectionLines(comparison.selection).filter((line) => line !== '')
  const shown = selected.slice(0, mostLines).map((line) => line.slice(0, 200))
  if (selected.length > mostLines) shown.push(`… and ${selected.length - mostLines} more`)
  const origin = folded('Where it comes from', codeBlock([...shown, ...originLines(plan)]))
  const target = plan.target.environment ?? plan.target.tenantId
  return `${comparisonMarkdown(comparison, target, mostCharacters - origin.length - 2).trimEnd()}\n\n${origin}\n`
}
