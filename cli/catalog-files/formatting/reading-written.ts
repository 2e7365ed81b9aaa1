import { keyText, skipBlanks, writtenEnd, writtenRange } from '../locating.ts'
import { type NodeTable, nodeForm } from '../node-table.ts'
import { headLength, shareOut } from './comment-places.ts'
import { type GapLine, lineStart, linesOfGap } from './gaps.ts'
import type { BlockText, Scalar } from './scalar-text.ts'
import { type Member, noComments, type Written, writtenCollection, writtenScalar } from './written.ts'

/** A file's content with its comments, and the comments that belong to the file as a whole. */
export interface WrittenFile {
  head: readonly string[]
  root: Written
}

/**
 * Reads what stands in a file, comments included, from its text, the places of its nodes and its value. A comment
 * alone on its line goes with what follows, one behind something with that; one that is indented like the members of a
 * collection which ends above it is the collection's last line.
 */
export function readWritten(source: string, table: NodeTable, value: unknown): WrittenFile {
  if (table.count === 0) {
    const head = linesOfGap(source, 0, source.length, true).map(({ text }) => text)
    return { head, root: writtenCollection(false, []) }
  }
  const reader = new WrittenReader(source, table)
  const above = reader.gapUntil(startOf(source, table, 0)).map((line) => ({ ...line, isAlone: true }))
  const isBlock = source[table.start[0]!] !== '{'
  const root = reader.readNode(0, value, false, isBlock ? above : [])
  const first = root.members?.[0]
  const lead = isBlock ? (first?.lead ?? noComments) : above.map(({ text }) => text)
  const length = isBlock ? headLength(lead) : lead.length
  if (isBlock && first !== undefined && length > 0) first.lead = lead.slice(length)
  const rest = shareOut(reader.gapUntil(source.length), root, root)
  root.tail = [...root.tail, ...rest]
  return { head: lead.slice(0, length), root }
}

/** Goes through a document once, from node to node and over what stands between them. */
class WrittenReader {
  readonly #source: string
  readonly #table: NodeTable
  #position = 0
  #isFresh = true

  constructor(source: string, table: NodeTable) {
    this.#source = source
    this.#table = table
  }

  gapUntil(to: number): readonly GapLine[] {
    const lines = linesOfGap(this.#source, this.#position, to, this.#isFresh)
    this.#moveTo(Math.max(this.#position, to))
    return lines
  }

  #moveTo(to: number, isFresh = false): void {
    this.#position = to
    this.#isFresh = isFresh
  }

  readNode(node: number, given: unknown, inFlow: boolean, first: readonly GapLine[]): Written {
    const [source, table] = [this.#source, this.#table]
    const form = table.form[node]!
    if (form === nodeForm.empty) return writtenScalar(null)
    if (form === nodeForm.mapping || form === nodeForm.sequence) {
      const opening = source[table.start[node]!]
      const hasBrackets = opening === '{' || opening === '['
      return this.#readCollection(node, given, inFlow || hasBrackets, hasBrackets, first)
    }
    const isBlock = form === nodeForm.literal || form === nodeForm.folded
    const folded = form === nodeForm.folded ? readFolded(source, table, node, String(given)) : undefined
    const end = writtenEnd(source, table, node)
    this.#moveTo(end, isBlock && (end === table.start[node] || /[\r\n]/.test(source[end - 1]!)))
    return writtenScalar(given as Scalar, folded)
  }

  /** The members of a collection; `first` is what stands above the first of them. */
  #readCollection(
    node: number,
    given: unknown,
    isFlow: boolean,
    hasBrackets: boolean,
    first: readonly GapLine[],
  ): Written {
    const [source, table] = [this.#source, this.#table]
    const [start, isList] = [table.start[node]!, table.form[node] === nodeForm.sequence]
    const members: Member[] = []
    const collection = writtenCollection(isList, members, isFlow ? -1 : start - lineStart(source, start))
    if (hasBrackets) this.#moveTo(start + 1)
    let above = first
    for (let child = node + 1; child < table.next[node]!; ) {
      const dash = isList && !isFlow ? (members.length === 0 ? start : skipBlanks(source, this.#position)) : -1
      const isEmpty = dash < 0 && table.form[child] === nodeForm.empty
      const gap = isEmpty ? [] : this.gapUntil(dash >= 0 ? dash : startOf(source, table, child))
      const lead = shareOut(above.length === 0 ? gap : [...above, ...gap], members.at(-1)?.written, collection)
      above = []
      const name = isList ? '' : (keyText(source, table, child) ?? '')
      if (dash >= 0) this.#moveTo(dash + 1)
      if (!isList) this.#moveTo(writtenEnd(source, table, child))
      const value = isList ? child : child + 1
      const inner = isList ? (given as unknown[])[members.length] : (given as Record<string, unknown>)[name]
      members.push(this.#readMember(name, lead, value, inner, isFlow))
      child = table.next[value]!
    }
    if (hasBrackets) {
      const tail = shareOut([...above, ...this.gapUntil(table.end[node]! - 1)], members.at(-1)?.written, collection)
      collection.tail = tail.at(-1) === '' ? tail.slice(0, -1) : tail
      this.#moveTo(table.end[node]!)
    }
    return collection
  }

  /** What stands after a key or dash: comments on that line are the value's notes, others go above its first member or the whole. */
  #readMember(name: string, lead: readonly string[], node: number, given: unknown, inFlow: boolean): Member {
    const form = this.#table.form[node]!
    if (form === nodeForm.empty) return { name, lead, written: writtenScalar(null) }
    const lines = this.gapUntil(startOf(this.#source, this.#table, node))
    if (lines.length === 0) return { name, lead, written: this.readNode(node, given, inFlow, lines) }
    const alone = lines.filter(({ isAlone }) => isAlone)
    const isCollection = form === nodeForm.mapping || form === nodeForm.sequence
    const written = this.readNode(node, given, inFlow, isCollection && !inFlow ? alone : [])
    const notes = lines.filter(({ isAlone }) => !isAlone).map(({ text }) => text)
    written.notes = [...notes, ...written.notes]
    const rest = isCollection && !inFlow ? [] : alone.map(({ text }) => text).filter(Boolean)
    return { name, lead: rest.length === 0 ? lead : [...lead, ...rest], written }
  }
}

/** Where a node begins: for a block scalar its text, for what is quoted the quote. */
function startOf(source: string, table: NodeTable, node: number): number {
  const form = table.form[node]
  if (form === nodeForm.singleQuoted || form === nodeForm.doubleQuoted) return table.start[node]! - 1
  return form === nodeForm.empty ? writtenRange(source, table, node)[0] : table.start[node]!
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
