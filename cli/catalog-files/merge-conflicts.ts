import type { Refuse } from './refusals.ts'

const message =
  'A merge conflict is not resolved here: keep what is to hold, and remove the lines <<<<<<<, ======= and >>>>>>>.'

/**
 * Refuses each conflict that git left in a text, at its first line, and says whether there is any. A parser would tell
 * of the line after it, in words of YAML; and between the lines of a flow collection or a quoted text it tells of none.
 */
export function refuseConflicts(text: string, refuse: Refuse): boolean {
  let isRefused = false
  for (const { start, end } of findConflicts(text)) {
    refuse('merge-conflict', start, end, message)
    isRefused = true
  }
  return isRefused
}

/** The first lines of conflicts that have all three marks, each at the beginning of a line. */
function* findConflicts(text: string) {
  let from = 0
  for (;;) {
    const start = findMark(text, '<<<<<<<', from)
    const middle = start === -1 ? -1 : findMark(text, '=======', start)
    from = middle === -1 ? -1 : findMark(text, '>>>>>>>', middle)
    if (from === -1) return
    const [line] = /^[^\r\n]*/.exec(text.slice(start, start + 500))!
    yield { start, end: start + line.length }
  }
}

/** Where the next line begins that is a mark, alone or followed by a blank and what git calls the side; -1 for none. */
function findMark(text: string, mark: string, from: number): number {
  for (let at = text.indexOf(mark, from); at !== -1; at = text.indexOf(mark, at + 1)) {
    const before = text[at - 1] ?? '\n'
    const after = text[at + mark.length] ?? '\n'
    if ('\r\n'.includes(before) && ' \r\n'.includes(after)) return at
  }
  return -1
}
