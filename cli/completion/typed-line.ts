/** What stands on a command line up to the cursor. */
export interface TypedLine {
  /** The words before the one at the cursor, without their quotes; the command's own name is the first. */
  words: string[]
  /** The word at the cursor as far as it is typed, without its quotes. */
  current: string
  /** The quote that is open at the cursor. */
  quote: '' | '"' | "'"
  /** How much of `current` stands before what the shell replaces: all up to its last word break, or to the open quote. */
  kept: number
}

/**
 * Reads a line as bash splits and quotes it (no expansion: `$x` stays as it is written); `breaks` are the characters at
 * which readline begins a new word though the shell does not (COMP_WORDBREAKS).
 */
export function readTypedLine(text: string, breaks: string): TypedLine {
  const words: string[] = []
  let current: string | undefined
  let kept = 0
  let quote: TypedLine['quote'] = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    const next = text[at + 1]
    if (quote === '' && /\s/.test(character)) {
      if (current !== undefined) words.push(current)
      current = undefined
      kept = 0
    } else if (quote === '' && (character === '"' || character === "'")) {
      current ??= ''
      quote = character
      kept = current.length
    } else if (character === quote) quote = ''
    else if (
      character === '\\' &&
      quote !== "'" &&
      (quote === '' || (next !== undefined && '$`"\\\n'.includes(next)))
    ) {
      current = (current ?? '') + (next ?? '')
      at++
    } else {
      current = (current ?? '') + character
      if (quote === '' && breaks.includes(character)) kept = current.length
    }
  }
  return { words, current: current ?? '', quote, kept }
}
