import type { ShownFinding } from '../../findings.ts'
import { withinBudget } from './annotation-budget.ts'
import { type Annotation, workflowCommand } from './workflow-command.ts'

/** A finding that may name the rule it breaks and where it ends. */
export type AnnotatedFinding = ShownFinding & { codeName?: string; endLine?: number; endCol?: number }

/** Findings as workflow commands, within GitHub's budget. */
export function findingCommands(
  findings: readonly AnnotatedFinding[],
  pathOf: (file: string) => string | undefined,
  rest: string,
): string[] {
  return withinBudget(findings.map(findingAnnotation), [({ message }) => message], rest).map((annotation) =>
    workflowCommand(annotation, pathOf),
  )
}

/** A finding as an annotation, titled by the item that it is about; one that has no place names its path. */
function findingAnnotation(finding: AnnotatedFinding): Annotation {
  const { file, line = 1, col = 1, endLine, endCol, severity, key, path, codeName, message } = finding
  const where = file === undefined && path ? `${path}: ` : ''
  return {
    level: severity,
    title: key || codeName || severity,
    message: `${where}${message}`,
    place: () => (file === undefined ? undefined : { file, line, col, endLine, endCol }),
  }
}
