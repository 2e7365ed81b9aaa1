import { visible } from '../visible-text.ts'

/** The most characters of a line that a frame shows; a longer line is clipped around the column. */
const shownWidth = 100

/**
 * One line of a file under its number, with a caret below every column from `col` up to `endCol` (exclusive, at least
 * one): control characters are visible, a tab counts as one blank, and a long line is clipped with `…`.
 */
export function codeFrame(lineText: string, line: number, col: number, endCol: number): string {
  const from = Math.max(0, col - 1 - Math.floor(shownWidth / 2))
  const clippedLeft = from > 0 && lineText.length > shownWidth
  const start = clippedLeft ? from : 0
  const end = Math.min(lineText.length, start + shownWidth)
  const piece = (a: number, b: number) => visible(lineText.slice(a, b).replaceAll('\t', ' '))
  const first = Math.min(Math.max(col - 1, start), end)
  const last = Math.min(Math.max(endCol - 1, first), end)
  const lead = (clippedLeft ? '…' : '') + piece(start, first)
  const marked = piece(first, last)
  const rest = piece(last, end) + (end < lineText.length ? '…' : '')
  const gutter = `${line} | `
  const blank = `${' '.repeat(String(line).length)} | `
  return `${gutter}${lead}${marked}${rest}\n${blank}${' '.repeat(lead.length)}${'^'.repeat(Math.max(1, marked.length))}`
}
