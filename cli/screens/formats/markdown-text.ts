import { visible } from '../../visible-text.ts'

/**
 * Text from outside as a code span (CommonMark 0.31 §6.1), from which nothing in it breaks out: not into HTML, a link,
 * emphasis, a mention or a reference to an issue. Not for a table's cell, where a `|` ends the cell in code, too.
 */
export function codeSpan(text: string): string {
  const shown = visible(text)
  const ticks = '`'.repeat(longestRun(shown) + 1)
  const isPadded = /^`|`$|^ .* $|^ *$/.test(shown)
  return isPadded ? `${ticks} ${shown} ${ticks}` : `${ticks}${shown}${ticks}`
}

/** Lines from outside as a fenced block (CommonMark 0.31 §4.5) that none of them ends; a line break inside one is shown, not made. */
export function codeBlock(lines: readonly string[]): string {
  const shown = lines.map((line) => visible(line))
  const fence = '`'.repeat(Math.max(3, ...shown.map((line) => longestRun(line) + 1)))
  return [`${fence}text`, ...shown, fence].join('\n')
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
}

/** An HTML comment that is the same for the same name and command, and holds no other's; nothing in a name ends it. */
export function hiddenMarker(name: string, command: 'diff' | 'plan' | 'drift' = 'diff'): string {
  return `<!-- licet:${command}:${encodeURI(name.toWellFormed()).replace(/-(?=-)|-$/g, '%2D')} -->`
}

/** A part that is folded until somebody opens it; the heading is words of our own. */
export const folded = (heading: string, body: string) =>
  `<details>\n<summary>${heading}</summary>\n\n${body}\n\n</details>`
