import { type Paint, paint } from '../colour.ts'
import { displayWidth } from '../table.ts'

/** What lines are drawn on. */
export interface Canvas {
  /** Columns of the terminal; without one no line is broken. */
  width: number
  colours: Paint
}

export const canvasOf = (stream: NodeJS.WriteStream): Canvas => ({
  width: stream.isTTY ? Math.max(20, stream.columns || 80) : Number.POSITIVE_INFINITY,
  colours: paint(stream),
})

/** The column where what stands beside the labels begins: after the longest, within half of the width. */
export function columnFor(labels: readonly string[], width: number): number {
  const most = Math.min(60, Math.floor(width / 2))
  const widths = labels.map(displayWidth).filter((each) => each <= most)
  // Not Math.max(...widths): a catalog can have more items than a call takes arguments.
  return widths.reduce((widest, each) => Math.max(widest, each), 0) + 4
}

/** A label and what stands beside it, or below it where the line is too narrow for both. */
export function sideBySide(label: string, beside: string, edge: number, { width }: Canvas): string[] {
  if (beside === '') return [label]
  const gap = ' '.repeat(Math.max(4, edge - displayWidth(label)))
  const line = `${label}${gap}${beside}`
  return displayWidth(line) <= width ? [line] : [label, `      ${beside}`]
}
