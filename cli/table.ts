import { paint } from './colour.ts'
import { visible } from './visible-text.ts'

/** What a text that is not ASCII is measured with, made for the first of them: that takes longer than many a command. */
let measures: { segmenter: Intl.Segmenter; wide: RegExp } | undefined
const measuring = () => (measures ??= { segmenter: new Intl.Segmenter(), wide: wideCharacter() })

const wideCharacter = () =>
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u

/** The number of columns that a text takes on a terminal. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  const { wide } = measuring()
  for (const { segment } of graphemesOf(text)) width += wide.test(segment) ? 2 : 1
  return width
}

/** What a reader sees as the characters of a text. */
export const graphemesOf = (text: string) => measuring().segmenter.segment(text)

/** Rows under headings, their columns aligned, their control characters visible; numbers stand right. */
export function tableOf(headings: string[], rows: (string | number | null)[][], stream = process.stdout): string {
  const colours = paint(stream)
  const cells = rows.map((row) => row.map((cell) => (cell === null ? '' : visible(String(cell)))))
  const widths = headings.map((heading, at) =>
    Math.max(displayWidth(heading), ...cells.map((row) => displayWidth(row[at] ?? ''))),
  )
  const right = headings.map(
    (_, at) => rows.length > 0 && rows.every((row) => typeof row[at] === 'number' || row[at] === null),
  )
  const line = (row: string[]) =>
    row
      .map((cell, at) => {
        const gap = ' '.repeat(Math.max(0, widths[at]! - displayWidth(cell)))
        return right[at] ? gap + cell : cell + gap
      })
      .join('  ')
      .trimEnd()
  return [colours.bold(line(headings)), ...cells.map(line)].join('\n')
}
