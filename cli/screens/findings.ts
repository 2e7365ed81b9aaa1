import type { Paint } from '../colour.ts'
import { visible } from '../visible-text.ts'

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

/** A finding as lines: `file:line:col error: …` with the line of the file below; the key and path where there is no file. */
export function findingLines(finding: ShownFinding, colours: Paint): string[] {
  const { file, line, col, severity, key = '', path = '', message, frame = '' } = finding
  const place = file === undefined ? `${key}${path && ` ${path}`}` : `${file}:${line}:${col}`
  const colour = severity === 'error' ? colours.red : colours.yellow
  const head = `${colours.bold(visible(place))} ${colour(`${severity}:`)} ${visible(message)}`
  return [
    head,
    ...frame
      .split('\n')
      .filter(Boolean)
      .map((row) => colours.dim(`  ${row}`)),
  ]
}

/** How many findings there are, in words: `2 errors and 1 warning`. */
export function countFindings(findings: readonly Pick<ShownFinding, 'severity'>[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.length - errors
  const counted = (count: number, word: string) => (count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`])
  return [...counted(errors, 'error'), ...counted(warnings, 'warning')].join(' and ') || 'nothing wrong'
}
