import { EVENT_ID, getScalarValue, parseEvents } from 'js-yaml'
import { pathSegment, readPathSegment } from '../../catalog-schema/member-names.ts'
import type { Lines, Span } from './lines.ts'
import type { NodeTable } from './node-table.ts'
import { nodeForm } from './node-table.ts'

/** Where a node stands, and where its key does when it is a mapping's value. */
export interface Located {
  value: Span
  key: Span | undefined
  /** Whether the node itself was found; false when the places are those of its nearest ancestor. */
  found: boolean
  /** The node as it is written, quotes and all. */
  source: string
}

interface Member {
  key: number | undefined
  value: number
}

/** The key and value nodes of the mapping's first member with that key. */
export function findMember(source: string, table: NodeTable, mapping: number, name: string): Member | undefined {
  for (let key = mapping + 1; key < endOf(table, mapping); ) {
    const value = table.next[key]!
    if (isKey(source, table, key, name)) return { key, value }
    key = table.next[value]!
  }
  return undefined
}

/** Answers where the node of an RFC 6901 pointer stands; asked for a node that is not there, where its parent does. */
export function createLocator(source: string, table: NodeTable, lines: Lines): (pointer: string) => Located {
  const members = new Map<number, number[]>()

  const findElement = (list: number, name: string): Member | undefined => {
    let elements = members.get(list)
    if (elements === undefined) {
      elements = []
      for (let child = list + 1; child < table.next[list]!; child = table.next[child]!) elements.push(child)
      members.set(list, elements)
    }
    const value = /^(?:0|[1-9][0-9]*)$/.test(name) ? elements[Number(name)] : undefined
    return value === undefined ? undefined : { key: undefined, value }
  }

  return (pointer) => {
    let member: Member = { key: undefined, value: 0 }
    let found = table.count > 0
    for (const name of pointerNames(pointer)) {
      const form = table.form[member.value]
      const next =
        form === nodeForm.mapping
          ? findMember(source, table, member.value, name)
          : form === nodeForm.sequence
            ? findElement(member.value, name)
            : undefined
      if (next === undefined) {
        found = false
        break
      }
      member = next
    }
    if (table.count === 0) return { value: lines.span(0, 0), key: undefined, found, source: '' }
    const key = member.key === undefined ? undefined : writtenRange(source, table, member.key)
    const isEmptyValue = key !== undefined && table.form[member.value] === nodeForm.empty
    const value = isEmptyValue ? key : writtenRange(source, table, member.value)
    return {
      value: lines.span(...value),
      key: key === undefined ? undefined : lines.span(...key),
      found,
      source: isEmptyValue ? '' : source.slice(...value),
    }
  }
}

/** The names of an RFC 6901 pointer, unescaped; the empty pointer has none. */
export function pointerNames(pointer: string): string[] {
  if (pointer === '') return []
  return pointer.slice(1).split('/').map(readPathSegment)
}

/** A collection on the way to a node: its key node (of a mapping, -1 before one) or index (of a list) there. */
interface Step {
  node: number
  isMapping: boolean
  key: number
  index: number
}

/** The RFC 6901 pointers of scalar values, given by their nodes in reading order, found in one pass. */
export function pointersOf(source: string, table: NodeTable, nodes: readonly number[]): string[] {
  const pointers: string[] = []
  const path: Step[] = []
  let wanted = 0
  for (let node = 0; wanted < nodes.length && node < table.count; node++) {
    let step = path.at(-1)
    while (step !== undefined && table.next[step.node]! <= node) {
      path.pop()
      const above = path.at(-1)
      if (above !== undefined && above.key !== step.node) above.key = -1
      step = above
    }
    const isKey = step?.isMapping === true && step.key < 0
    if (step !== undefined && isKey) step.key = node
    else if (step !== undefined) step.index++
    if (node === nodes[wanted]) {
      wanted++
      if (!isKey) pointers.push(path.map((each) => `/${nameOf(source, table, each)}`).join(''))
    }
    const form = table.form[node]
    if (form === nodeForm.mapping || form === nodeForm.sequence) {
      path.push({ node, isMapping: form === nodeForm.mapping, key: -1, index: -1 })
    } else if (step !== undefined && !isKey) step.key = -1
  }
  return pointers
}

function nameOf(source: string, table: NodeTable, { isMapping, key, index }: Step): string {
  if (!isMapping) return String(index)
  return pathSegment(keyText(source, table, key) ?? '')
}

function endOf(table: NodeTable, node: number): number {
  const next = table.next[node]!
  return next === node + 1 && table.end[node] === table.start[node] ? table.count : next
}

function isKey(source: string, table: NodeTable, key: number, name: string): boolean {
  const start = table.start[key]!
  if (table.form[key] === nodeForm.plain) {
    return table.end[key]! - start === name.length && source.startsWith(name, start)
  }
  return keyText(source, table, key) === name
}

/** What a key says; keys stand on one line. Undefined for a node that cannot be a key. */
export function keyText(source: string, table: NodeTable, key: number): string | undefined {
  const written = source.slice(table.start[key], table.end[key])
  switch (table.form[key]) {
    case nodeForm.plain:
      return written
    case nodeForm.singleQuoted:
      return written.replaceAll("''", "'")
    case nodeForm.doubleQuoted: {
      if (!written.includes('\\')) return written
      const alone = `"${written}"`
      const scalar = parseEvents(alone, {}).find((event) => event.type === EVENT_ID.SCALAR)
      return scalar === undefined ? undefined : getScalarValue(alone, scalar)
    }
    default:
      return undefined
  }
}

/**
 * The offsets of a node as it is written: with quotes and block header, without trailing blanks; of an empty node, its
 * dash or colon.
 */
export function writtenRange(source: string, table: NodeTable, node: number): [number, number] {
  const start = table.start[node]!
  const end = table.end[node]!
  switch (table.form[node]) {
    case nodeForm.singleQuoted:
    case nodeForm.doubleQuoted:
      return [start - 1, end + 1]
    case nodeForm.literal:
    case nodeForm.folded:
      return [findBlockHeader(source, start), trimEnd(source, start, end)]
    case nodeForm.sequence:
    case nodeForm.mapping:
      return [start, trimEnd(source, start, end)]
    case nodeForm.empty: {
      const sign = skipBlanks(source, start)
      const isSign = source[sign] === '-' || source[sign] === ':'
      return isSign ? [sign, sign + 1] : [start, start]
    }
    default:
      return [start, end]
  }
}

/** Where a node's text ends: the line breaks that a block scalar keeps are part of it, others after it are not. */
export function writtenEnd(source: string, table: NodeTable, node: number): number {
  const [start, end] = writtenRange(source, table, node)
  const isBlock = table.form[node] === nodeForm.literal || table.form[node] === nodeForm.folded
  if (!isBlock) return end
  const keeps = /^[|>][1-9]?\+/.test(source.slice(start, start + 3))
  return keeps ? table.end[node]! : Math.max(end, table.start[node]!)
}

function trimEnd(source: string, start: number, end: number): number {
  let last = end
  while (last > start && /\s/.test(source[last - 1]!)) last--
  return last
}

/** The offset of the `|` or `>` whose content starts at the given offset. */
function findBlockHeader(source: string, contentStart: number): number {
  const breakLength = /(?:\r\n|\n|\r)?$/.exec(source.slice(Math.max(0, contentStart - 2), contentStart))![0].length
  const beforeBreak = contentStart - breakLength
  let lineStart = beforeBreak
  while (lineStart > 0 && source[lineStart - 1] !== '\n' && source[lineStart - 1] !== '\r') lineStart--
  const header = /[|>][-+1-9]{0,2}(?:[ \t]+#.*|[ \t]*)$/.exec(source.slice(lineStart, beforeBreak))
  return header === null ? contentStart : lineStart + header.index
}

/** The offset after blanks, line breaks, commas and comments. */
export function skipBlanks(source: string, from: number): number {
  let offset = from
  for (; offset < source.length; offset++) {
    if (source[offset] === '#' && isBlank(source, offset - 1)) {
      while (offset + 1 < source.length && source[offset + 1] !== '\n' && source[offset + 1] !== '\r') offset++
    } else if (!isBlank(source, offset)) break
  }
  return offset
}

function isBlank(source: string, offset: number): boolean {
  const code = source.charCodeAt(offset)
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d || code === 0x2c
}
