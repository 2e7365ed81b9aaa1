import type { Paint } from '../colour.ts'
import type { ShownFinding } from '../findings.ts'
import { visible } from '../visible-text.ts'

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
