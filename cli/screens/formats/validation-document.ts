import type { Finding } from '../../catalog-files/findings.ts'
import { findWorkspace, pathInWorkspace } from '../../workspace-paths.ts'
import { findingCommands } from './finding-annotations.ts'
import { sarifLog } from './sarif.ts'

/** The findings of a validation as lines of a document for machines, with paths from the workspace. */
export function validationDocument(format: 'github' | 'sarif', findings: readonly Finding[]): string[] {
  const workspace = findWorkspace()
  const pathOf = (file: string) => pathInWorkspace(file, workspace)
  if (format === 'sarif') return [JSON.stringify(sarifLog(findings, pathOf), null, 2)]
  return findingCommands(
    findings,
    pathOf,
    'The same "licet catalog validate" without --format github lists all of them.',
  )
}
