import { stripVTControlCharacters } from 'node:util'
import { displayWidth, tableOf } from '../table.ts'
import { visible } from '../visible-text.ts'
import type { Canvas } from './comparison.ts'
import { fitText, wrapText } from './fitting.ts'

/** A row of a table, and the same on two lines. */
export interface StackedRow {
  cells: (string | number | null)[]
  head: string
  /** What stands below, in its order; empty parts are left out. */
  below: (string | null)[]
}

const indent = 4
const mostLinesBelow = 4

/** Rows as a table, or each on lines of its own where the table is too wide. */
export function stackedTable(
  headings: string[],
  rows: readonly StackedRow[],
  { width, colours }: Pick<Canvas, 'width' | 'colours'>,
): string[] {
  const cells = rows.map((row) => row.cells)
  const lines = tableOf(headings, cells).split('\n')
  const widest = Math.max(...lines.map((line) => displayWidth(stripVTControlCharacters(line))))
  if (widest <= width) return lines
  return rows.flatMap(({ head, below }) => [
    colours.bold(fitText(visible(head), width)),
    ...wrapText(visible(below.filter(Boolean).join(', ')), width - indent, mostLinesBelow).map(
      (line) => ' '.repeat(indent) + line,
    ),
  ])
}
