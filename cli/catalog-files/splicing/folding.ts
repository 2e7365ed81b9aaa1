import { type BlockText, literalText } from '../formatting/scalar-text.ts'

const narrowest = 40

/** Text as a folded block, its lines no longer than the old ones were; undefined where folding would not keep it. */
export function foldedText(value: string, old: string): BlockText | undefined {
  const literal = literalText(value)
  if (literal === undefined || /^\s|\n[ \t]|[ \t]\n|[ \t]$/.test(value)) return undefined
  const width = Math.max(narrowest, ...old.split(/\r\n|\n|\r/).map((line) => line.trim().length))
  const lines = literal.lines.flatMap((line, index) => {
    if (line === '') return ['']
    return index > 0 ? ['', ...wrap(line, width)] : wrap(line, width)
  })
  return { header: value.endsWith('\n') ? '>' : '>-', lines }
}

/** A line broken at single blanks, as far as there are any. */
function wrap(line: string, width: number): string[] {
  const lines: string[] = []
  let current = ''
  for (const word of line.split(/(?<=\S) (?=\S)/)) {
    if (current !== '' && current.length + 1 + word.length > width) {
      lines.push(current)
      current = word
    } else current = current === '' ? word : `${current} ${word}`
  }
  return [...lines, current]
}
