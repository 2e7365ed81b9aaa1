/** A token of JSON (RFC 8259 §2) behind blanks: a mark, a text, or another scalar. */
const tokens =
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-]))/uy

type Awaited = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end'

/** Where a text ceases to be JSON: at the first token that has no place there, or at its end. */
export function findPlaceNotJson(text: string): number {
  const open: string[] = []
  let awaited: Awaited = 'value'
  for (let at = 0; ; at = tokens.lastIndex) {
    tokens.lastIndex = at
    const [whole, mark, word] = tokens.exec(text) ?? []
    const next = awaits(awaited, mark, word, open, whole !== undefined)
    if (next === undefined) return at + /^[ \t\n\r]*/.exec(text.slice(at))![0].length
    awaited = next
  }
}

/** What comes after a token where this was awaited; undefined where the token has no place. */
function awaits(
  awaited: Awaited,
  mark: string | undefined,
  word: string | undefined,
  open: string[],
  isToken: boolean,
): Awaited | undefined {
  if (!isToken) return undefined
  if (awaited === ':') return mark === ':' ? 'value' : undefined
  const isValueNext = awaited === 'value' || awaited === 'value or ]'
  if (mark === '{' || mark === '[') {
    if (!isValueNext) return undefined
    open.push(mark)
    return mark === '{' ? 'key or }' : 'value or ]'
  }
  if (mark === '}' || mark === ']') {
    const isDue = awaited === ', or end' || awaited === (mark === '}' ? 'key or }' : 'value or ]')
    return isDue && open.pop() === (mark === '}' ? '{' : '[') ? ', or end' : undefined
  }
  if (mark === ',') {
    if (awaited !== ', or end' || open.length === 0) return undefined
    return open.at(-1) === '{' ? 'key' : 'value'
  }
  if (mark === ':') return undefined
  if (isValueNext) return ', or end'
  return word !== undefined && (awaited === 'key' || awaited === 'key or }') ? ':' : undefined
}
