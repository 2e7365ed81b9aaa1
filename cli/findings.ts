import { counted } from './counting.ts'

/** What is shown of a finding: where, how bad, what, and the line that says so. */
export interface ShownFinding {
  file?: string
  line?: number
  col?: number
  severity: 'error' | 'warning'
  key?: string
  path?: string
  message: string
  frame?: string
}

/** How many findings there are, in words: `2 errors and 1 warning`. */
export function countFindings(findings: readonly { severity: 'error' | 'warning' }[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.length - errors
  const told = [errors > 0 && counted(errors, 'error'), warnings > 0 && counted(warnings, 'warning')]
  return told.filter(Boolean).join(' and ') || 'nothing wrong'
}
