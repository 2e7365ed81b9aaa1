import type { TypedLine } from './typed-line.ts'

/**
 * What bash puts in the place of the word at the cursor so that the word then is `value`, whatever is in it: nothing of
 * it is expanded, run or taken for the end of the word.
 */
export function bashInsertion(value: string, { quote, kept }: Pick<TypedLine, 'quote' | 'kept'>): string {
  const rest = value.slice(kept)
  if (quote === "'") return rest.replaceAll("'", "'\\''")
  // A history expansion is not stopped by a backslash inside double quotes.
  if (quote === '"') return rest.replaceAll(/[$`"\\]/g, '\\$&').replaceAll('!', '"\\!"')
  return rest.replaceAll(/[^\p{L}\p{N}_\-.,:/@=+%^]/gu, '\\$&').replace(/^~/, '\\~')
}
