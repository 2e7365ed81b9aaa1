import { literalText, scalarText } from './scalar-text.ts'
import type { Member, Written } from './written.ts'

/** How far the members of mappings and lists are indented; the canonical style is 2 and 2. */
export interface Indentation {
  mapping: number
  list: number
}

const canonicalIndentation: Indentation = { mapping: 2, list: 2 }

/** A file's lines in canonical style: a blank line between sections and between their items. */
export function printFile(head: readonly string[], root: Written): string[] {
  const lines = head[0] === '' ? head.slice(1) : [...head]
  for (const [place, section] of (root.members ?? []).entries()) {
    const { lead, written } = section
    const isSection = written.isList
    const members = isSection ? written.members!.map((item, index) => apart(item, index > 0)) : written.members
    const spaced = { ...apart(section, place > 0), written: { ...written, members } }
    if (place === 0 && lead.length > 0 && head.length > 0 && head.at(-1) !== '' && !isModeline(head.at(-1)!))
      lines.push('')
    printEntry(spaced, 0, canonicalIndentation, lines)
  }
  if (root.members?.length === 0 && lines.length === 0) lines.push('{}')
  lines.push(...root.tail, ...root.notes)
  while (lines.at(-1) === '') lines.pop()
  return lines
}

const isModeline = (line: string) => line.startsWith('# yaml-language-server:')

/** The member with a blank line above it, and above its comments; or with none. */
function apart(member: Member, isApart: boolean): Member {
  const lead = member.lead[0] === '' ? member.lead.slice(1) : member.lead
  return { ...member, lead: isApart ? ['', ...lead] : lead }
}

/** The lines of a collection's members, each `column` deep; of a list's the dash. */
export function printMembers(collection: Written, column: number, style: Indentation, lines: string[]): void {
  for (const [index, member] of collection.members!.entries()) {
    const own = index === 0 ? apart(member, false) : member
    if (collection.isList) printElement(own, column, style, lines)
    else printEntry(own, column, style, lines)
  }
  pushComments(collection.tail, column, lines)
}

function printEntry({ name, lead, written }: Member, column: number, style: Indentation, lines: string[]): void {
  const [note, ...otherNotes] = written.notes
  const pad = ' '.repeat(column)
  pushComments(lead, column, lines)
  pushComments(otherNotes, column, lines)
  const start = `${pad}${scalarText(name)}:`
  if (isBlock(written)) {
    lines.push(start + behind(note))
    printMembers(written, column + (written.isList ? style.list : style.mapping), style, lines)
  } else {
    const deeper = column + style.mapping
    pushComments(written.tail.filter(Boolean), column, lines)
    pushScalar(`${start} `, written, note, deeper, lines)
  }
}

function printElement({ lead, written }: Member, column: number, style: Indentation, lines: string[]): void {
  pushComments(lead, column, lines)
  const start = `${' '.repeat(column)}- `
  if (!isBlock(written)) {
    const [note, ...otherNotes] = written.notes
    pushComments([...otherNotes, ...written.tail.filter(Boolean)], column, lines)
    pushScalar(start, written, note, column + 2, lines)
    return
  }
  pushComments(written.notes, column, lines)
  const place = lines.length
  printMembers(written, column + 2, style, lines)
  let first = place
  while (lines[first] === '' || lines[first]!.trimStart().startsWith('#')) {
    if (lines[first] !== '') lines[first] = lines[first]!.slice(2)
    first++
  }
  lines[first] = start + lines[first]!.slice(column + 2)
}

const isBlock = ({ members }: Written) => members !== undefined && members.length > 0
const behind = (note: string | undefined) => (note === undefined ? '' : ` ${note}`)

function pushComments(comments: readonly string[], column: number, lines: string[]): void {
  for (const line of comments)
    if (line !== '' || lines.length > 0) lines.push(line === '' ? '' : ' '.repeat(column) + line)
}

function pushScalar(start: string, written: Written, note: string | undefined, column: number, lines: string[]): void {
  const { scalar, members, isList, folded } = written
  const block = folded ?? (typeof scalar === 'string' && scalar.includes('\n') ? literalText(scalar) : undefined)
  if (members !== undefined) lines.push(start + (isList ? '[]' : '{}') + behind(note))
  else if (block === undefined) lines.push(start + scalarText(scalar) + behind(note))
  else {
    lines.push(start + block.header + behind(note))
    for (const line of block.lines) lines.push(line === '' ? '' : ' '.repeat(column) + line)
  }
}
