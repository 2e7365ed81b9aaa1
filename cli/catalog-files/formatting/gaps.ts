import { writtenEnd } from '../locating.ts'
import { type NodeTable, nodeForm } from '../node-table.ts'

/** A comment between two nodes, or (with an empty text) a blank line. */
export interface GapLine {
  text: string
  column: number
  /** Whether nothing but blanks stands before it on its line. */
  isAlone: boolean
  at: number
}

/**
 * The comments and blank lines of a stretch of YAML that holds no scalar, only blanks, signs and comments. `isFresh`
 * says that the stretch begins where a line does. Of the last line, which a node follows, only a comment counts.
 */
export function linesOfGap(source: string, from: number, to: number, isFresh: boolean): readonly GapLine[] {
  let lines: GapLine[] | undefined
  const push = (line: GapLine) => {
    lines ??= []
    lines.push(line)
  }
  let isEmpty = isFresh
  let isAlone = isFresh
  for (let offset = from; offset < to; ) {
    const code = source.charCodeAt(offset)
    if (code === 0x23) {
      const end = lineEnd(source, offset)
      const column = offset - lineStart(source, offset)
      push({ text: source.slice(offset, end).trimEnd(), column, isAlone, at: offset })
      isEmpty = false
      offset = end
    } else if (code === 0x0a || code === 0x0d) {
      if (isEmpty && lines?.at(-1)?.text !== '') push({ text: '', column: 0, isAlone: true, at: offset })
      offset += code === 0x0d && source.charCodeAt(offset + 1) === 0x0a ? 2 : 1
      isEmpty = true
      isAlone = true
    } else {
      if (code !== 0x20 && code !== 0x09) {
        isEmpty = false
        isAlone = false
      }
      offset++
    }
  }
  return lines ?? nothing
}

const nothing: readonly GapLine[] = []

/** Every comment of a document, in the order of reading: whatever begins with `#` between its scalars. */
export function commentsIn(source: string, table: NodeTable): string[] {
  const comments: string[] = []
  let hash = source.indexOf('#')
  let from = 0
  const lookUntil = (to: number) => {
    if (hash >= 0 && hash < from) hash = source.indexOf('#', from)
    while (hash >= 0 && hash < to) {
      comments.push(source.slice(hash, lineEnd(source, hash)).trimEnd())
      hash = source.indexOf('#', lineEnd(source, hash))
    }
  }
  for (let node = 0; node < table.count; node++) {
    const form = table.form[node]!
    if (form === nodeForm.empty || form === nodeForm.mapping || form === nodeForm.sequence) continue
    lookUntil(table.start[node]!)
    from = writtenEnd(source, table, node)
  }
  lookUntil(source.length)
  return comments
}

/** The offset of the line break that ends the line, or the end of the text. */
export function lineEnd(source: string, offset: number): number {
  let end = offset
  while (end < source.length && !isBreak(source, end)) end++
  return end
}

/** The offset where the line of an offset begins. */
export function lineStart(source: string, offset: number): number {
  let start = offset
  while (start > 0 && !isBreak(source, start - 1)) start--
  return start
}

/** The offset after the line of an offset and its line break. */
export function nextLine(source: string, offset: number): number {
  const end = lineEnd(source, offset)
  return source.startsWith('\r\n', end) ? end + 2 : Math.min(source.length, end + 1)
}

function isBreak(source: string, offset: number): boolean {
  const code = source.charCodeAt(offset)
  return code === 0x0a || code === 0x0d
}
