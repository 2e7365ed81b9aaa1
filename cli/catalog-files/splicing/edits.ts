/** A stretch of a text and what replaces it; an empty stretch is an insertion. */
export interface Edit {
  from: number
  to: number
  text: string
}

/** Raised where a change cannot be made without touching what is beside it. */
export class Unspliceable extends Error {}

/**
 * The text with the edits made; insertions at one place keep their order and come before what is replaced there. Raises
 * Unspliceable when two edits touch the same characters.
 */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  const ordered = edits.toSorted((a, b) => a.from - b.from || Number(a.to > a.from) - Number(b.to > b.from))
  const parts: string[] = []
  let position = 0
  for (const { from, to, text } of ordered) {
    if (from < position) throw new Unspliceable('two edits overlap')
    parts.push(source.slice(position, from), text)
    position = to
  }
  parts.push(source.slice(position))
  return parts.join('')
}
