import type { FilePlace } from '../../sides/local-catalog.ts'
import { visible } from '../../visible-text.ts'

/** What GitHub Actions shows beside a line of a pull request, or on the page of the run where there is no line. */
export interface Annotation {
  level: 'error' | 'warning' | 'notice'
  title: string
  message: string
  /** Asked for the annotations that are shown only. */
  place: () => Pick<FilePlace, 'file' | 'line' | 'col' | 'endLine' | 'endCol'> | undefined
}

const longestTitle = 200
const longestMessage = 2000

/**
 * An annotation as a workflow command on one line, as GitHub's runner reads it: `%`, CR and LF escaped, in properties
 * `:` and `,` too. `pathOf` gives the path that GitHub knows a file by; without one the place stands in the message.
 */
export function workflowCommand(
  { level, title, message, place }: Annotation,
  pathOf: (file: string) => string | undefined,
) {
  const found = place()
  const file = found && pathOf(found.file)
  const properties = [
    ...(found === undefined || file === undefined ? [] : placeProperties(found, file)),
    `title=${escapeProperty(visible(shortened(title, longestTitle)))}`,
  ]
  const said = found !== undefined && file === undefined ? `${found.file}:${found.line}: ${message}` : message
  return `::${level} ${properties.join(',')}::${escapeData(visible(shortened(said, longestMessage), { lines: true }))}`
}

function placeProperties(place: NonNullable<ReturnType<Annotation['place']>>, file: string): string[] {
  const { line, col, endLine = line, endCol } = place
  // GitHub has no columns for what spans several lines.
  const columns = endLine === line ? [`col=${col}`, ...(endCol === undefined ? [] : [`endColumn=${endCol}`])] : []
  return [`file=${escapeProperty(file)}`, `line=${line}`, `endLine=${endLine}`, ...columns]
}

/** Text as the message of a workflow command. */
export const escapeData = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** Text as the value of a property of a workflow command. */
export const escapeProperty = (text: string) => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text
}
