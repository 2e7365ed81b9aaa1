import { displayWidth, graphemesOf } from './table.ts'

/** The start of a text that fits into a number of columns; what is cut off is said with `…`. */
export function fitText(text: string, width: number): string {
  if (width <= 0) return ''
  if (text.length <= width && displayWidth(text) <= width) return text
  return `${startWithin(text, width - 1)}…`
}

/** The end of a text that fits, for what is being typed. */
export function fitEnd(text: string, width: number): string {
  if (width <= 0) return ''
  if (displayWidth(text) <= width) return text
  const parts = [...graphemesOf(text)].map(({ segment }) => segment)
  let room = width - 1
  let from = parts.length
  while (from > 0 && displayWidth(parts[from - 1]!) <= room) room -= displayWidth(parts[--from]!)
  return `…${parts.slice(from).join('')}`
}

/** A text filled up with spaces to a number of columns. */
export const padText = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - displayWidth(text)))

/** A text as lines of at most a number of columns, at most `most` of them; broken at spaces where there are any. */
export function wrapText(text: string, width: number, most: number): string[] {
  const lines: string[] = []
  let rest = text
  while (rest !== '' && lines.length < most) {
    if (lines.length === most - 1) return [...lines, fitText(rest, width)]
    const start = startWithin(rest, Math.max(2, width))
    const space = start.length < rest.length ? start.lastIndexOf(' ') : -1
    const line = space > width / 2 ? start.slice(0, space + 1) : start
    lines.push(line.trimEnd())
    rest = rest.slice(line.length)
  }
  return lines
}

/** Text in lines no wider than `width`, each behind the same indent; a word is never broken. */
export function wrapWords(text: string, width: number, indent: string): string[] {
  const room = Math.max(20, width - indent.length)
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.map((line) => indent + line)
}

/** The longest start of whole characters within a number of columns; reads no further than it must. */
function startWithin(text: string, width: number): string {
  let room = width
  let end = 0
  for (const { segment } of graphemesOf(text.slice(0, width * 16 + 64))) {
    const columns = displayWidth(segment)
    if (columns > room) break
    room -= columns
    end += segment.length
  }
  return text.slice(0, end)
}
