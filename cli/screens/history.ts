import { stripVTControlCharacters } from 'node:util'
import { counted } from '../counting.ts'
import { displayWidth, tableOf } from '../table.ts'
import type { PastImport, ReportedImport } from '../tasks/history.ts'
import { momentWords } from '../time-words.ts'
import { visible } from '../visible-text.ts'
import type { Canvas } from './canvas.ts'
import { changeListLines } from './comparison.ts'

/** Past imports as a table, or each on two lines where the table is too wide. */
export function historyLines(imports: readonly PastImport[], { width, colours }: Canvas): string[] {
  const headings = ['IMPORT', 'WHEN', 'WHO', 'CREATED', 'UPDATED', 'REVISION', 'SOURCE']
  const rows = imports.map((one) => [
    one.id,
    momentWords(one.importedAt),
    one.importedByName,
    one.summary.create,
    one.summary.update,
    revisions(one),
    one.source,
  ])
  const lines = tableOf(headings, rows).split('\n')
  const widest = Math.max(...lines.map((line) => displayWidth(stripVTControlCharacters(line))))
  if (widest <= width) return lines
  return imports.flatMap((one) => [
    `${colours.bold(one.id)}  ${momentWords(one.importedAt)}`,
    visible(
      `    ${extent(one)}, revision ${revisions(one)}, ${one.importedByName}${one.source ? `: ${one.source}` : ''}`,
    ),
  ])
}

const revisions = ({ revisionBefore, revisionAfter }: PastImport) =>
  revisionBefore === revisionAfter ? revisionAfter : `${revisionBefore} → ${revisionAfter}`

const extent = ({ summary: { create, update } }: Pick<PastImport, 'summary'>) => `${create} created, ${update} updated`

/** One past import as lines: who, when, from where, and what it changed. */
export function importLines(one: ReportedImport, environment: string, canvas: Canvas): string[] {
  const { report } = one
  const fields = report.items.reduce((sum, { changes = [] }) => sum + changes.length, 0)
  const changes = changeListLines(
    { report: { ...report, onlyHere: [] }, before: { name: environment, tenant: null }, placeOf: () => undefined },
    canvas,
  )
  return [
    canvas.colours.bold(visible(`Import ${one.id} into ${environment}`)),
    visible(`  ${momentWords(one.importedAt)} by ${one.importedByName}, revision ${revisions(one)}`),
    ...(one.source === null ? [] : [visible(`  from ${one.source}`)]),
    ...(changes.length > 0 ? ['', ...changes] : []),
    '',
    `${extent(one)} (${counted(fields, 'field')}), ${one.summary.unchanged} unchanged.`,
  ]
}
