import { type Reading, readCatalogText } from '../yaml-reading.ts'
import { inCanonicalOrder } from './canonical-order.ts'
import { commentsIn } from './gaps.ts'
import { printFile } from './printing.ts'
import { readWritten } from './reading-written.ts'
import { doubleQuoted, wordText } from './scalar-text.ts'
import { readsAs, type Written } from './written.ts'

/** A file's text in canonical order and style, or why it cannot be brought into it. */
export type Formatted = { text: string } | { refused: string }

/**
 * Brings a file that was read without refusals into canonical order and style: its comments stay, and so does all that
 * it says, which reading the result proves. The line breaks are those of its first line.
 */
export function formatFile(name: string, reading: Reading): Formatted {
  if (isJson(name)) {
    const { root } = readWritten(reading.text, reading.nodes, reading.value)
    return { text: `${jsonText(inCanonicalOrder(root))}\n` }
  }
  const { head, root } = readWritten(reading.text, reading.nodes, reading.value)
  if (reading.nodes.count === 0) return { text: reading.text }
  const ordered = inCanonicalOrder(root)
  const lines = printFile(head, ordered)
  const lineBreak = /\r\n|\n|\r/.exec(reading.text)?.[0] ?? '\n'
  const text = lines.map((line) => line + lineBreak).join('')
  const again = readCatalogText(text)
  if (again.refusals.length > 0 || !readsAs(ordered, again.value))
    return { refused: 'Written otherwise it would not say the same; it is left as it is.' }
  const kept = commentsIn(reading.text, reading.nodes).sort()
  const found = commentsIn(again.text, again.nodes).sort()
  if (kept.length !== found.length || kept.some((comment, index) => comment !== found[index]))
    return { refused: 'A comment stands where it would get lost; it is left as it is.' }
  return { text }
}

export const isJson = (name: string): boolean => /\.json$/i.test(name)

/** A value as JSON, two blanks deeper at each level, with `lineBreak` and `indent` before every line but the first. */
export function jsonText(written: Written, indent = '\n', step = '  '): string {
  const { members, isList, scalar } = written
  if (members === undefined) return typeof scalar === 'string' ? doubleQuoted(scalar) : wordText(scalar)
  if (members.length === 0) return isList ? '[]' : '{}'
  const deeper = indent + step
  const inner = members.map((member) => {
    const value = jsonText(member.written, deeper, step)
    return deeper + (isList ? value : `${doubleQuoted(member.name)}: ${value}`)
  })
  return `${isList ? '[' : '{'}${inner.join(',')}${indent}${isList ? ']' : '}'}`
}
