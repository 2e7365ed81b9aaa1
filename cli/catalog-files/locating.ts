import { getScalarValue, parseEvents } from 'js-yaml'
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
    if (keyText(source, table, key) === name) return { key, value }
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
  return pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The RFC 6901 pointer of a node; of a key, that of its value. */
export function pointerOfNode(source: string, table: NodeTable, node: number): string {
  let pointer = ''
  let parent = 0
  while (parent !== node) {
    const isMapping = table.form[parent] === nodeForm.mapping
    let index = 0
    let child = parent + 1
    let key = child
    for (; ; index++) {
      key = child
      if (isMapping) child = table.next[key]!
      if (key === node || table.next[child]! > node) break
      child = table.next[child]!
    }
    const name = isMapping ? (keyText(source, table, key) ?? '') : String(index)
    pointer += `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (key === node) break
    parent = child
  }
  return pointer
}

function endOf(table: NodeTable, node: number): number {
  const next = table.next[node]!
  return next === node + 1 && table.end[node] === table.start[node] ? table.count : next
}

function keyText(source: string, table: NodeTable, key: number): string | undefined {
  const form = table.form[key]
  const written = source.slice(table.start[key], table.end[key])
  if (form === nodeForm.plain && !/[\r\n]/.test(written)) return written
  if (form === nodeForm.singleQuoted && !/['\r\n]/.test(written)) return written
  if (form === nodeForm.doubleQuoted && !/[\\\r\n]/.test(written)) return written
  if (form !== nodeForm.plain && form !== nodeForm.singleQuoted && form !== nodeForm.doubleQuoted) return undefined
  const quote = form === nodeForm.plain ? '' : form === nodeForm.singleQuoted ? "'" : '"'
  const alone = `${quote}${written}${quote}`
  const scalar = parseEvents(alone, {}).find((event) => event.type === 4)
  return scalar === undefined ? undefined : getScalarValue(alone, scalar)
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

function trimEnd(source: string, start: number, end: number): number {
  let last = end
  while (last > start && /\s/.test(source[last - 1]!)) last--
  return last
}

/** The offset of the `|` or `>` whose content starts at the given offset. */
function findBlockHeader(source: string, contentStart: number): number {
  const breakLength = /(?:\r\n|\n|\r)?$/.exec(source.slice(Math.max(0, contentStart - 2), contentStart))![0].length
  const beforeBreak = contentStart - breakLength
  const lineStart = Math.max(source.lastIndexOf('\n', beforeBreak - 1), source.lastIndexOf('\r', beforeBreak - 1)) + 1
  const header = /[|>][-+1-9]{0,2}(?:[ \t]+#.*|[ \t]*)$/.exec(source.slice(lineStart, beforeBreak))
  return header === null ? contentStart : lineStart + header.index
}

/** The offset after blanks, line breaks, commas and comments. */
export function skipBlanks(source: string, from: number): number {
  blanks.lastIndex = from
  blanks.test(source)
  return blanks.lastIndex
}

const blanks = /(?:[ \t\r\n,]|(?<=[ \t\r\n,])#[^\r\n]*)*/y
