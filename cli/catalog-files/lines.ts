/** A place in a text: line and column count from 1, columns in UTF-16 code units as editors count them. */
export interface Place {
  line: number
  col: number
}

/** A stretch of text, its end exclusive: `endCol` is the column after the last character. */
export interface Span extends Place {
  endLine: number
  endCol: number
}

/** The lines of a text; a line ends at LF, CR LF or a lone CR, as YAML 1.2 §5.4 has it. */
export interface Lines {
  at(offset: number): Place
  span(start: number, end: number): Span
  /** The text of a line without its line break; empty for a line that the text does not have. */
  lineText(line: number): string
}

/** Finds lines by offset; the text is searched for line breaks at the first question only. */
export function indexLines(text: string): Lines {
  let starts: number[] | undefined
  const lineStarts = () => {
    starts ??= findLineStarts(text)
    return starts
  }
  const at = (offset: number): Place => {
    const known = lineStarts()
    let low = 0
    let high = known.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (known[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, col: offset - known[low]! + 1 }
  }
  return {
    at,
    span: (start, end) => {
      const last = at(Math.max(start, end))
      return { ...at(start), endLine: last.line, endCol: last.col }
    },
    lineText: (line) => {
      const start = lineStarts()[line - 1]
      if (start === undefined) return ''
      return text.slice(start, lineStarts()[line] ?? text.length).replace(/[\r\n]+$/, '')
    },
  }
}

function findLineStarts(text: string): number[] {
  const starts = [0]
  for (const found of text.matchAll(/\r\n|\n|\r/g)) starts.push(found.index + found[0].length)
  return starts
}
