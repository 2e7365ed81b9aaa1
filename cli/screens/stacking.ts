import { stripVTControlCharacters } from 'node:util'
import { fitText, wrapText } from '../fitting.ts'
import { displayWidth, tableOf } from '../table.ts'
import { visible } from '../visible-text.ts'
import type { Canvas } from './canvas.ts'

/** A row of a table, and the same on two lines. */
export interface StackedRow {
  cells: (string | number | null)[]
  head: string
  /** What stands below, in its order; empty parts are left out. */
  below: (string | null)[]
}

const indent = 4
const mostLinesBelow = 4

/** Rows as a table, or each on lines of its own where the table is too wide; `layBelow` breaks what stands below into lines. */
export function stackedTable(
  headings: string[],
  rows: readonly StackedRow[],
  { width, colours }: Pick<Canvas, 'width' | 'colours'>,
  layBelow: (parts: readonly string[], width: number) => string[] = filledLines,
): string[] {
  const cells = rows.map((row) => row.cells)
  const lines = tableOf(headings, cells).split('\n')
  const widest = Math.max(...lines.map((line) => displayWidth(stripVTControlCharacters(line))))
  if (widest <= width) return lines
  return rows.flatMap(({ head, below }) => [
    colours.bold(fitText(visible(head), width)),
    ...layBelow(
      below.flatMap((part) => (part ? [visible(part)] : [])),
      width - indent,
    ).map((line) => ' '.repeat(indent) + line),
  ])
}

/** Parts one after another, as many lines of them as a long text may take. */
const filledLines = (parts: readonly string[], width: number) => wrapText(parts.join(', '), width, mostLinesBelow)

/** All parts, each whole on its line where it fits one. */
export function wholeParts(parts: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const [at, part] of parts.entries()) {
    const text = at < parts.length - 1 ? `${part},` : part
    const together = `${lines.at(-1)} ${text}`
    if (lines.length > 0 && displayWidth(together) <= width) lines[lines.length - 1] = together
    else lines.push(...wrapText(text, width, Number.POSITIVE_INFINITY))
  }
  return lines
}
