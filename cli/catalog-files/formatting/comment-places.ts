import type { GapLine } from './gaps.ts'
import { noComments, type Written } from './written.ts'

/** How many of the lines above the first section belong to the file: all before a blank line, and the schema's. */
export function headLength(lines: readonly string[]): number {
  const schema = lines.findLastIndex((line) => line.startsWith('# yaml-language-server:'))
  return Math.max(lines.lastIndexOf(''), schema) + 1
}

/**
 * Gives each comment between two members to what it belongs to: one behind a value to that, one that is indented like
 * the members of a collection ending there to that collection; the rest, which is returned, is what follows's.
 */
export function shareOut(lines: readonly GapLine[], previous: Written | undefined, around: Written): readonly string[] {
  if (lines.length === 0) return noComments
  const lead: string[] = []
  const open = previous === undefined ? [] : endingIn(previous, around)
  const tails = new Map<Written, string[]>()
  let blank: readonly string[] = noComments
  for (const { text, column, isAlone } of lines) {
    if (!isAlone) {
      const last = previous === undefined ? around : lastOf(previous)
      last.notes = [...last.notes, text]
    } else if (text === '') blank = ['']
    else {
      while (open.length > 0 && open.at(-1)!.from > column) open.pop()
      const ending = open.at(-1)?.written
      const into = ending === undefined ? lead : (tails.get(ending) ?? [])
      if (ending !== undefined) tails.set(ending, into)
      into.push(...blank, text)
      blank = noComments
    }
  }
  for (const [ending, tail] of tails) ending.tail = [...ending.tail, ...tail]
  return lead.length === 0 ? blank : [...lead, ...blank]
}

/** The block collections that end where a value does, outermost first, each with the least indentation of its own lines. */
function endingIn(value: Written, around: Written): { written: Written; from: number }[] {
  const isWhole = value === around
  const open = isWhole ? [{ written: value, from: 0 }] : []
  let above = around.column
  let last = isWhole ? value.members?.at(-1)?.written : value
  for (; last?.members !== undefined && last.column >= 0; last = last.members.at(-1)?.written) {
    open.push({ written: last, from: Math.max(last.column, above + 1) })
    above = last.column
  }
  return open
}

/** What a value ends with: itself, or the last of the members of a block collection. */
function lastOf(value: Written): Written {
  let last = value
  while (last.column >= 0 && last.members !== undefined && last.members.length > 0) last = last.members.at(-1)!.written
  return last
}
