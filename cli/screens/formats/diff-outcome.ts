import type { Side } from '../../sides/side.ts'
import { type DiffOutcome, findingsOf, sideName, targetName } from '../../tasks/diff.ts'
import { findWorkspace, pathInWorkspace } from '../../workspace-paths.ts'
import { changeCommands } from './change-annotations.ts'
import { comparisonMarkdown } from './comparison-markdown.ts'
import { findingCommands } from './finding-annotations.ts'
import { refusalMarkdown } from './refusal-markdown.ts'

/** What a diff came to as GitHub Markdown. */
export function diffMarkdown({ comparison, refusal }: DiffOutcome, before: Side, after: Side): string {
  const target = targetName(before)
  if (comparison !== undefined && refusal === undefined) return comparisonMarkdown(comparison, target)
  const findings = refusal === undefined ? [] : findingsOf(refusal)
  const isCompared = comparison !== undefined
  return refusalMarkdown({ before: sideName(before), after: sideName(after), isCompared, findings }, target)
}

/** What a diff came to as workflow commands of GitHub Actions. */
export function diffCommands({ comparison, refusal }: DiffOutcome): string[] {
  const workspace = findWorkspace()
  const pathOf = (file: string) => pathInWorkspace(file, workspace)
  const rest = 'The same "licet catalog diff" without --format github lists all of them.'
  if (refusal !== undefined) return findingCommands(findingsOf(refusal), pathOf, rest)
  return comparison === undefined ? [] : changeCommands(comparison, pathOf, rest)
}
