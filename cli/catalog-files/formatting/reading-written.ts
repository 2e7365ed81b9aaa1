import { keyText, skipBlanks, writtenEnd, writtenRange } from '../locating.ts'
import { type NodeTable, nodeForm } from '../node-table.ts'
import { type GapLine, linesOfGap } from './gaps.ts'
import type { BlockText, Scalar } from './scalar-text.ts'
import { type Written, writtenCollection, writtenScalar } from './written.ts'

/** A file's content with its comments, and the comments that belong to the file as a whole. */
export interface WrittenFile {
  head: string[]
  root: Written
}

/**
 * Reads what stands in a file, comments included, from its text, the places of its nodes and its value. A comment
 * alone on its line goes with what follows, one behind something with that; one that is indented like the members of a
 * collection which ends above it is the collection's last line.
 */
export function readWritten(source: string, table: NodeTable, value: unknown): WrittenFile {
  let position = 0
  let isFresh = true

  const gapUntil = (to: number): GapLine[] => {
    const lines = linesOfGap(source, position, to, isFresh)
    moveTo(Math.max(position, to))
    return lines
  }
  const moveTo = (to: number, fresh = false) => {
    position = to
    isFresh = fresh
  }

  const readNode = (node: number, given: unknown, inFlow: boolean, first: GapLine[]): Written => {
    const form = table.form[node]!
    if (form === nodeForm.empty) return writtenScalar(null)
    if (form === nodeForm.mapping || form === nodeForm.sequence) {
      const opening = source[table.start[node]!]
      if (opening === '{' || opening === '[') return readFlow(node, given, first, true)
      return inFlow ? readFlow(node, given, first, false) : readBlock(node, given, first)
    }
    const scalar = writtenScalar(given as Scalar)
    if (form === nodeForm.folded) scalar.folded = readFolded(source, table, node, String(given))
    const end = writtenEnd(source, table, node)
    const isBlock = form === nodeForm.literal || form === nodeForm.folded
    moveTo(end, isBlock && (end === table.start[node] || /[\r\n]/.test(source[end - 1]!)))
    return scalar
  }

  /** A member's value after its key or dash: comments on that line are the value's notes, others go above the member. */
  const readValue = (node: number, given: unknown, inFlow: boolean, lead: string[]): Written => {
    if (table.form[node] === nodeForm.empty) return writtenScalar(null)
    const lines = gapUntil(valueStart(source, table, node))
    const alone = lines.filter((line) => line.isAlone)
    const isBlockCollection =
      !inFlow && (table.form[node] === nodeForm.mapping || table.form[node] === nodeForm.sequence)
    if (!isBlockCollection) lead.push(...alone.map(({ text }) => text).filter(Boolean))
    const written = readNode(node, given, inFlow, isBlockCollection ? alone : [])
    written.notes.unshift(...lines.filter((line) => !line.isAlone).map(({ text }) => text))
    return written
  }

  const readBlock = (node: number, given: unknown, first: GapLine[]): Written => {
    const isList = table.form[node] === nodeForm.sequence
    const start = table.start[node]!
    const collection = writtenCollection(isList, [], columnOf(source, start))
    const members = collection.members!
    let lines = first
    for (let child = node + 1, index = 0; child < table.next[node]!; index++) {
      const previous = members.at(-1)
      const memberStart = isList
        ? index === 0
          ? start
          : skipBlanks(source, position)
        : writtenRange(source, table, child)[0]
      lines = [...lines, ...gapUntil(memberStart)]
      const lead = distribute(lines, previous?.written, collection)
      lines = []
      const name = isList ? '' : (keyText(source, table, child) ?? '')
      moveTo(isList ? memberStart + 1 : writtenRange(source, table, child)[1])
      const value = isList ? child : child + 1
      const inner = isList ? (given as unknown[])[index] : (given as Record<string, unknown>)[name]
      members.push({ name, lead, written: readValue(value, inner, false, lead) })
      child = table.next[value]!
    }
    return collection
  }

  const readFlow = (node: number, given: unknown, first: GapLine[], hasBrackets: boolean): Written => {
    const isList = table.form[node] === nodeForm.sequence
    const collection = writtenCollection(isList, [])
    const members = collection.members!
    if (hasBrackets) moveTo(table.start[node]! + 1)
    let lines = first
    for (let child = node + 1, index = 0; child < table.next[node]!; index++) {
      const isEmpty = table.form[child] === nodeForm.empty
      lines = [...lines, ...(isEmpty ? [] : gapUntil(valueStart(source, table, child)))]
      const lead = distribute(lines, members.at(-1)?.written, collection)
      lines = []
      const name = isList ? '' : (keyText(source, table, child) ?? '')
      if (!isList) moveTo(writtenRange(source, table, child)[1])
      const value = isList ? child : child + 1
      const inner = isList ? (given as unknown[])[index] : (given as Record<string, unknown>)[name]
      members.push({ name, lead, written: readValue(value, inner, true, lead) })
      child = table.next[value]!
    }
    if (hasBrackets) {
      const rest = gapUntil(table.end[node]! - 1)
      collection.tail.push(...distribute([...lines, ...rest], members.at(-1)?.written, collection))
      if (collection.tail.at(-1) === '') collection.tail.pop()
      moveTo(table.end[node]!)
    }
    return collection
  }

  if (table.count === 0) {
    const head = linesOfGap(source, 0, source.length, true).map(({ text }) => text)
    return { head, root: writtenCollection(false, []) }
  }
  const above = gapUntil(valueStart(source, table, 0)).map((line) => ({ ...line, isAlone: true }))
  const isBlock = source[table.start[0]!] !== '{'
  const root = readNode(0, value, false, isBlock ? above : [])
  const members = root.members ?? []
  const lead = isBlock ? (members[0]?.lead ?? []) : above.map(({ text }) => text)
  const head = isBlock ? lead.splice(0, headLength(lead)) : lead
  const rest = distribute(gapUntil(source.length), root, root)
  root.tail.push(...rest)
  return { head, root }
}

/** How many of the lines above the first section belong to the file: all before a blank line, and the schema's. */
function headLength(lines: readonly string[]): number {
  const schema = lines.findLastIndex((line) => line.startsWith('# yaml-language-server:'))
  return Math.max(lines.lastIndexOf(''), schema) + 1
}

/**
 * Gives each comment between two members to what it belongs to: one behind a value to that, one that is indented like
 * the members of a collection ending there to that collection; the rest, which is returned, is what follows's.
 */
function distribute(lines: readonly GapLine[], previous: Written | undefined, around: Written): string[] {
  const lead: string[] = []
  const open = previous === undefined ? [] : endingIn(previous, around)
  let blank: string[] = []
  for (const { text, column, isAlone } of lines) {
    if (!isAlone) {
      const last = previous === undefined ? around : lastOf(previous)
      last.notes.push(text)
    } else if (text === '') blank = ['']
    else {
      while (open.length > 0 && open.at(-1)!.from > column) open.pop()
      const into = open.at(-1)?.written.tail ?? lead
      into.push(...blank, text)
      blank = []
    }
  }
  return [...lead, ...blank]
}

/** The block collections that end where a value does, outermost first, each with the least indentation of its own lines. */
function endingIn(value: Written, around: Written): { written: Written; from: number }[] {
  const open: { written: Written; from: number }[] = []
  let above = around.column
  let last: Written | undefined = value === around ? undefined : value
  if (value === around) {
    open.push({ written: value, from: 0 })
    above = value.column
    last = value.members?.at(-1)?.written
  }
  for (; last?.members !== undefined && last.column >= 0; last = last.members.at(-1)?.written) {
    open.push({ written: last, from: Math.max(last.column, above + 1) })
    above = last.column
  }
  return open
}

function lastOf(value: Written): Written {
  let last = value
  while (last.column >= 0 && last.members !== undefined && last.members.length > 0) last = last.members.at(-1)!.written
  return last
}

/** Where a value begins: for a block scalar its text, for what is quoted the quote. */
function valueStart(source: string, table: NodeTable, node: number): number {
  const form = table.form[node]
  if (form === nodeForm.literal || form === nodeForm.folded) return table.start[node]!
  return writtenRange(source, table, node)[0]
}

function columnOf(source: string, offset: number): number {
  let start = offset
  while (start > 0 && source[start - 1] !== '\n' && source[start - 1] !== '\r') start--
  return offset - start
}

/** The lines of a folded scalar; undefined when they cannot be indented otherwise and stay what they are. */
function readFolded(source: string, table: NodeTable, node: number, value: string): BlockText | undefined {
  const lines = source
    .slice(table.start[node], table.end[node])
    .trimEnd()
    .split(/\r\n|\n|\r/)
  const indentation = /^ */.exec(lines.find((line) => line.trim() !== '') ?? '')![0]
  if (lines.length < 2 || indentation === '' || value.trim() === '' || /\n\n$|^\s/.test(value)) return undefined
  const bare = lines.map((line) => (line.trim() === '' ? '' : line.slice(indentation.length)))
  if (bare.some((line) => line.trimEnd() !== line)) return undefined
  return { header: value.endsWith('\n') ? '>' : '>-', lines: bare }
}
