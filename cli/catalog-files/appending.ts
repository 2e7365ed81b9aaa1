import { isDeepStrictEqual } from 'node:util'
import { type Reading, readCatalogText } from './yaml-reading.ts'

/**
 * A YAML file's text with an item (its lines, the first with the dash at its start) put behind the last one of a
 * section, or in a section of its own at the end; every byte that was there stays. Undefined where the text is laid out
 * so that lines alone cannot do it: flow style, what cannot be read.
 */
export function appendItem(text: string, section: string, item: readonly string[]): string | undefined {
  const before = readCatalogText(text)
  if (before.refusals.length > 0) return undefined
  const appended = insertItem(text, before, section, item)
  return appended !== undefined && isAppended(before, readCatalogText(appended), section) ? appended : undefined
}

function insertItem(text: string, before: Reading, section: string, item: readonly string[]): string | undefined {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const block = (indent: string) => item.map((line) => (line === '' ? line : indent + line)).join(lineEnd) + lineEnd
  const list = before.value[section]
  if (list === undefined) {
    const gap = text.trim() === '' ? '' : lineEnd
    const rest = text === '' || text.endsWith('\n') ? text : text + lineEnd
    return `${rest}${gap}${section}:${lineEnd}${block('  ')}`
  }
  if (!Array.isArray(list)) return undefined
  if (list.length === 0) {
    const empty = new RegExp(`^(${section}:)[ \\t]*\\[[ \\t]*\\]([ \\t]*(?:#[^\\r\\n]*)?)(\\r?\\n|$)`, 'm')
    return text.replace(empty, (_line, key, comment) => `${key}${comment.trimEnd()}${lineEnd}${block('  ')}`)
  }
  const first = before.locate(`/${section}`).value
  const last = before.locate(`/${section}/${list.length - 1}`).value
  const lines = text.split('\n')
  const indent = /^ *(?=- )/.exec(lines[first.line - 1] ?? '')?.[0]
  if (indent === undefined) return undefined
  const content = lastContentLine(lines, last.line, last.endCol === 1 ? last.endLine - 1 : last.endLine)
  const end = withOwnComments(lines, content, indent.length)
  const head = lines.slice(0, end).join('\n')
  const tail = lines.slice(end)
  const headEnd = tail.length === 0 ? lineEnd : '\n'
  return `${head}${headEnd}${lineEnd}${block(indent)}${tail.join('\n')}`
}

/** The last line (counted from 1) between two that is neither blank nor all comment. */
function lastContentLine(lines: readonly string[], from: number, to: number): number {
  for (let line = Math.min(to, lines.length); line > from; line--) if (/^\s*[^\s#]/.test(lines[line - 1]!)) return line
  return from
}

/** The line behind the comments that still belong to the last item: deeper than its dash, with no blank line between. */
function withOwnComments(lines: readonly string[], from: number, depth: number): number {
  const isOwn = (line = '') => /^\s*#/.test(line) && line.search(/#/) > depth
  let end = from
  while (isOwn(lines[end])) end++
  return end
}

/** Whether the later reading has one item more at the end of the section, and otherwise says the same. */
function isAppended(before: Reading, after: Reading, section: string): boolean {
  if (after.refusals.length > 0) return false
  const { [section]: had = [], ...others } = before.value
  const { [section]: has, ...same } = after.value
  return (
    isDeepStrictEqual(others, same) &&
    Array.isArray(had) &&
    Array.isArray(has) &&
    has.length === had.length + 1 &&
    isDeepStrictEqual(has.slice(0, -1), had)
  )
}
