import { lineEnd, lineStart, nextLine } from '../formatting/gaps.ts'
import type { Indentation } from '../formatting/printing.ts'
import { keyText, skipBlanks, writtenEnd, writtenRange } from '../locating.ts'
import { type NodeTable, nodeForm } from '../node-table.ts'
import type { Reading } from '../yaml-reading.ts'
import type { Edit } from './edits.ts'

/** A member of a collection where it stands. */
export interface Spot {
  /** The name of a mapping's member. */
  name: string
  /** The key's node; -1 in a list. */
  key: number
  value: number
  /** Where the key begins, or the dash, or (in a flow list) the value. */
  start: number
  /** The colon or dash; -1 where there is none, or none beside the key. */
  sign: number
  /** After the last character of the value. */
  end: number
}

/** A collection with its members where they stand. */
export interface Collection {
  node: number
  isList: boolean
  isFlow: boolean
  spots: Spot[]
}

/** A file's text with the places of its nodes, on which edits are gathered. */
export class Sheet {
  /** The text, always with a line break at its end. */
  readonly source: string
  readonly table: NodeTable
  readonly isJson: boolean
  readonly lineBreak: string
  readonly lacksLastBreak: boolean
  readonly indentation: Indentation
  readonly step: string
  edits: Edit[] = []

  constructor(reading: Reading, isJson: boolean) {
    this.lineBreak = /\r\n|\n|\r/.exec(reading.text)?.[0] ?? '\n'
    this.lacksLastBreak = reading.text !== '' && !/[\r\n]$/.test(reading.text)
    this.source = this.lacksLastBreak ? reading.text + this.lineBreak : reading.text
    this.table = reading.nodes
    this.isJson = isJson
    this.step = /[\r\n]([ \t]+)/.exec(isJson ? reading.text.slice(0, 10_000) : '')?.[1] ?? '  '
    this.indentation = isJson ? { mapping: 2, list: 2 } : findIndentation(this)
  }

  replace(from: number, to: number, text: string): void {
    this.edits.push({ from, to, text })
  }

  insert(at: number, text: string): void {
    this.edits.push({ from: at, to: at, text })
  }

  isCollection(node: number): boolean {
    return this.table.form[node] === nodeForm.mapping || this.table.form[node] === nodeForm.sequence
  }

  /** The members of a collection, in one pass over them. */
  collection(node: number, inFlow: boolean): Collection {
    const { source, table } = this
    const isList = table.form[node] === nodeForm.sequence
    const opening = source[table.start[node]!]
    const isFlow = inFlow || opening === '{' || opening === '['
    const spots: Spot[] = []
    for (let child = node + 1; child < table.next[node]!; ) {
      const value = isList ? child : child + 1
      if (isList) {
        const previous = spots.at(-1)
        const dash = previous === undefined ? table.start[node]! : skipBlanks(source, previous.end)
        const start = isFlow ? writtenRange(source, table, value)[0] : dash
        const end = this.endOf(value, start + 1, isFlow)
        spots.push({ name: '', key: -1, value, start, sign: isFlow ? -1 : dash, end })
      } else {
        const [start, keyEnd] = writtenRange(source, table, child)
        const colon = skipSpaces(source, keyEnd)
        const isOdd = source[colon] !== ':' || source[skipSpacesBack(source, start) - 1] === '?'
        const end = this.endOf(value, source[colon] === ':' ? colon + 1 : keyEnd, isFlow)
        const name = keyText(source, table, child) ?? ''
        spots.push({ name, key: child, value, start, sign: isOdd ? -1 : colon, end })
      }
      child = table.next[value]!
    }
    return { node, isList, isFlow, spots }
  }

  /** Where a value's text ends; of an empty one the given offset. */
  endOf(node: number, ifEmpty: number, inFlow: boolean): number {
    if (this.table.form[node] === nodeForm.empty) return ifEmpty
    if (!this.isCollection(node)) return writtenEnd(this.source, this.table, node)
    const opening = this.source[this.table.start[node]!]
    if (opening === '{' || opening === '[') return this.table.end[node]!
    const isList = this.table.form[node] === nodeForm.sequence
    let [key, last] = [-1, node + 1]
    for (let child = node + 1; child < this.table.next[node]!; child = this.table.next[last]!) {
      key = child
      last = isList ? child : child + 1
    }
    if (isList && this.table.form[last] === nodeForm.empty) return this.collection(node, inFlow).spots.at(-1)!.end
    if (isList) return this.endOf(last, -1, inFlow)
    const colon = skipSpaces(this.source, writtenRange(this.source, this.table, key)[1])
    return this.endOf(last, this.source[colon] === ':' ? colon + 1 : colon, inFlow)
  }

  columnOf(offset: number): number {
    return offset - lineStart(this.source, offset)
  }

  /** Whether nothing but blanks stands before an offset on its line. */
  startsLine(offset: number): boolean {
    const before = skipSpacesBack(this.source, offset)
    return before === 0 || this.source[before - 1] === '\n' || this.source[before - 1] === '\r'
  }

  /** Where the comments begin that stand right above a member, none of them above `floor`; else where its line does. */
  leadStart(offset: number, floor: number): number {
    let start = lineStart(this.source, offset)
    const column = offset - start
    while (start > floor) {
      const above = lineStart(this.source, previousLine(this.source, start))
      const line = this.source.slice(above, lineEnd(this.source, above))
      const isLead = /^[ \t]*#/.test(line) && line.search(/\S/) <= column && !line.startsWith('# yaml-language-server:')
      if (above < floor || !isLead) break
      start = above
    }
    return start
  }

  /** The line after a member's last, past the comments below it that are indented deeper than it is. */
  afterMember(spot: Spot, column: number): number {
    let end = nextLine(this.source, spot.end)
    if (/[\r\n]/.test(this.source[spot.end - 1]!)) end = spot.end
    for (let at = end; at < this.source.length; at = nextLine(this.source, at)) {
      const line = this.source.slice(at, lineEnd(this.source, at))
      if (line.trim() === '') continue
      if (!/^ *#/.test(line) || line.search(/\S/) <= column) break
      end = nextLine(this.source, at)
    }
    return end
  }
}

/** The offset of the line break before an offset where a line begins. */
const previousLine = (source: string, start: number) => (source.startsWith('\r\n', start - 2) ? start - 2 : start - 1)

function skipSpaces(source: string, from: number): number {
  let offset = from
  while (source[offset] === ' ' || source[offset] === '\t') offset++
  return offset
}

function skipSpacesBack(source: string, from: number): number {
  let offset = from
  while (source[offset - 1] === ' ' || source[offset - 1] === '\t') offset--
  return offset
}

/** How a file's own block collections are indented, as far as its first hundreds of nodes show. */
function findIndentation(sheet: Sheet): Indentation {
  const found: Partial<Indentation> = {}
  const { source, table } = sheet
  const columns: { column: number; isList: boolean }[] = []
  const ends: number[] = []
  for (let node = 0; node < Math.min(table.count, 500); node++) {
    while (ends.length > 0 && ends.at(-1)! <= node) {
      ends.pop()
      columns.pop()
    }
    const opening = source[table.start[node]!]
    if (!sheet.isCollection(node) || opening === '{' || opening === '[') continue
    const isList = table.form[node] === nodeForm.sequence
    const [start, above] = [table.start[node]!, columns.at(-1)]
    const column = sheet.columnOf(start)
    if (above?.isList === false && sheet.startsLine(start)) {
      if (isList) found.list ??= column - above.column
      else found.mapping ??= column - above.column
    }
    ends.push(table.next[node]!)
    columns.push({ column, isList })
  }
  return { mapping: found.mapping ?? 2, list: Math.max(0, found.list ?? 2) }
}
