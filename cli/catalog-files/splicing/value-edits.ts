import { jsonText } from '../formatting/formatting.ts'
import { lineEnd, nextLine } from '../formatting/gaps.ts'
import { printMembers } from '../formatting/printing.ts'
import { doubleQuoted, type Scalar, scalarText } from '../formatting/scalar-text.ts'
import { type Written, writtenOf } from '../formatting/written.ts'
import { writtenRange } from '../locating.ts'
import { type NodeForm, nodeForm } from '../node-table.ts'
import { Unspliceable } from './edits.ts'
import { type Restyled, restyled } from './restyled.ts'
import type { Sheet, Spot } from './sheet.ts'

/** Where a value stands: its spot, whether that is inside a flow collection, and the column of the key or dash. */
export interface Standpoint {
  spot: Spot
  inFlow: boolean
  column: number
}

/** Replaces a value by another: a scalar in its own style, a collection in the style around it. Comments beside it stay. */
export function replaceValue(sheet: Sheet, at: Standpoint, value: unknown): void {
  const written = writtenOf(value)
  if (written.members === undefined) {
    replaceByScalar(sheet, at, written.scalar)
    return
  }
  if (fillEmptyFlow(sheet, at.spot, written)) return
  const isShort = written.members.every((member) => member.written.members === undefined)
  const stays = isFlowStart(sheet, at.spot.value) && (written.members.length === 0 || (written.isList && isShort))
  if (at.inFlow || sheet.isJson || stays || written.members.length === 0) {
    replaceByText(sheet, at, { inline: flowText(sheet, written, at) })
  } else replaceByBlock(sheet, at, written)
}

/** Puts members into an empty flow collection with a comment inside, which stays below them. */
function fillEmptyFlow(sheet: Sheet, { value, end }: Spot, written: Written): boolean {
  const { source, table } = sheet
  const start = table.start[value]!
  const isEmpty = isFlowStart(sheet, value) && table.next[value] === value + 1
  if (!isEmpty || written.members?.length === 0 || !source.slice(start, end).includes('#')) return false
  if ((table.form[value] === nodeForm.sequence) !== written.isList) return false
  sheet.insert(start + 1, flowText(sheet, written).slice(1, -1))
  return true
}

function replaceByScalar(sheet: Sheet, at: Standpoint, value: Scalar): void {
  const { table, source, isJson } = sheet
  const node = at.spot.value
  const form = sheet.isCollection(node) ? nodeForm.plain : (table.form[node] as NodeForm)
  const text = sheet.isCollection(node) ? '' : source.slice(table.start[node], table.end[node])
  replaceByText(sheet, at, restyled(value, { form, text, inFlow: at.inFlow, isJson }))
}

const isFlowStart = ({ source, table }: Sheet, node: number) =>
  ['{', '['].includes(source[table.start[node]!]!) &&
  (table.form[node] === nodeForm.mapping || table.form[node] === nodeForm.sequence)

const isBlockScalar = ({ table }: Sheet, node: number) =>
  table.form[node] === nodeForm.literal || table.form[node] === nodeForm.folded

function replaceByText(sheet: Sheet, at: Standpoint, text: Restyled): void {
  const { source, table } = sheet
  const { value, sign, end } = at.spot
  const head = 'inline' in text ? text.inline : text.header
  if (table.form[value] === nodeForm.empty) {
    if (sign < 0) throw new Unspliceable('there is no sign to put a value after')
    sheet.insert(sign + 1, ` ${head}`)
    if ('lines' in text) insertLines(sheet, nextLine(source, sign), text.lines, at.column)
  } else if (isBlockScalar(sheet, value)) {
    const [start] = writtenRange(source, table, value)
    sheet.replace(start, start + /^[|>][-+0-9]*/.exec(source.slice(start, start + 4))![0].length, head)
    replaceBlockLines(sheet, at, text)
  } else if (sheet.isCollection(value) && !at.inFlow && !isFlowStart(sheet, value)) {
    if ('lines' in text) throw new Unspliceable('a collection is no text')
    replaceMembers(sheet, at, head)
  } else {
    sheet.replace(writtenRange(source, table, value)[0], end, head)
    if ('lines' in text) insertLines(sheet, nextLine(source, end), text.lines, at.column)
  }
}

/** Puts other lines in the place of a block scalar's, indented as they were. */
function replaceBlockLines(sheet: Sheet, at: Standpoint, text: Restyled): void {
  const { source, table } = sheet
  const { value, end } = at.spot
  const start = table.start[value]!
  const endsLine = end > start && /[\r\n]/.test(source[end - 1]!)
  if ('inline' in text) {
    sheet.replace(start, endsLine ? end : nextLineIfAny(sheet, start, end), '')
    return
  }
  const old = source.slice(start, end).split(/\r\n|\n|\r/)
  const own = /^ */.exec(old.find((line) => line.trim() !== '') ?? '')![0].length
  const indent = own > 0 && !/[2-9]/.test(text.header) ? own : at.column + 2
  const lines = text.lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join(sheet.lineBreak)
  sheet.replace(start, end, lines + (endsLine || end === start ? sheet.lineBreak : ''))
}

const nextLineIfAny = (sheet: Sheet, start: number, end: number) => (end > start ? nextLine(sheet.source, end) : end)

/** Takes a block collection's members away and puts a value behind its key. */
function replaceMembers(sheet: Sheet, at: Standpoint, text: string): void {
  const { value, sign } = at.spot
  const { spots, isList } = sheet.collection(value, false)
  const [first, last] = [spots[0]!, spots.at(-1)!]
  if (sign < 0 || !sheet.startsLine(first.start)) throw new Unspliceable('the members do not begin a line')
  sheet.insert(sign + 1, ` ${text}`)
  const column = sheet.columnOf(first.start)
  const from = sheet.leadStart(first.start, nextLine(sheet.source, sign))
  sheet.replace(from, sheet.afterMember(last, isList ? column : column - 1), '')
}

/** Writes a collection below its key, in the place of a scalar or an empty collection. */
function replaceByBlock(sheet: Sheet, at: Standpoint, written: Written): void {
  const { source, table, indentation } = sheet
  const { value, sign, end, key } = at.spot
  if (sign < 0 || key < 0) throw new Unspliceable('only behind a key can a collection begin')
  if (isBlockScalar(sheet, value)) {
    sheet.replace(sign + 1, writtenRange(source, table, value)[0] + 1, '')
    replaceBlockLines(sheet, at, { inline: '' })
  } else if (table.form[value] !== nodeForm.empty) sheet.replace(sign + 1, end, '')
  const lines: string[] = []
  const step = written.isList ? indentation.list : indentation.mapping
  printMembers(written, at.column + step, indentation, lines)
  sheet.insert(nextLine(source, end), lines.map((line) => line + sheet.lineBreak).join(''))
}

function insertLines(sheet: Sheet, at: number, lines: readonly string[], column: number): void {
  const pad = ' '.repeat(column + 2)
  sheet.insert(at, lines.map((line) => (line === '' ? '' : pad + line) + sheet.lineBreak).join(''))
}

/** A value as a flow collection writes it: JSON over several lines where the file's own is. */
export function flowText(sheet: Sheet, written: Written, at?: Pick<Standpoint, 'spot'>): string {
  if (!sheet.isJson) return compactText(written, (text) => scalarText(text, true), ' ')
  if (!/[\r\n]./.test(sheet.source.slice(0, 10_000))) return compactText(written, jsonScalar, blankOf(sheet))
  const line = at === undefined ? '' : lineIndent(sheet, at.spot.start)
  return jsonText(written, sheet.lineBreak + line, sheet.step)
}

/** The blanks at the beginning of an offset's line. */
export function lineIndent(sheet: Sheet, offset: number): string {
  const start = offset - sheet.columnOf(offset)
  return /^[ \t]*/.exec(sheet.source.slice(start, lineEnd(sheet.source, start)))![0]
}

const jsonScalar = (value: Scalar) => (typeof value === 'string' ? doubleQuoted(value) : scalarText(value))

/** What stands behind a file's colons and commas: nothing in tight JSON, a blank in all else. */
export const blankOf = ({ isJson, source }: Sheet): string =>
  isJson && /^\s*\{"[^"\\]*":\S/.test(source.slice(0, 1000)) ? '' : ' '

function compactText(written: Written, text: (value: Scalar) => string, blank: string): string {
  const { members, isList, scalar } = written
  if (members === undefined) return text(scalar)
  const inner = members.map((member) => {
    const value = compactText(member.written, text, blank)
    return isList ? value : `${text(member.name)}:${blank}${value}`
  })
  return isList ? `[${inner.join(`,${blank}`)}]` : `{${inner.join(`,${blank}`)}}`
}
