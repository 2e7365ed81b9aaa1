/** The name of the function, on every store, that does in a query what `foldText` does here. */
export const foldFunction = 'licet_fold'

/**
 * The text with each code point lower-cased on its own, for comparing without regard to case: `İ` becomes `i`, `Σ` always
 * `σ`, and whatever would become two code points stays (`ß` equals `ẞ`, not `SS`). No language and no neighbour matters.
 */
export function foldText(text: string) {
  // These two are all that String.prototype.toLowerCase treats otherwise than code point by code point.
  return text.replaceAll('\u0130', 'i').replaceAll('\u03a3', '\u03c3').toLowerCase()
}

/** Every code point beyond ASCII that folding changes, and at the same place what it becomes. */
export function foldTables() {
  let from = ''
  let to = ''
  for (let codePoint = 0x80; codePoint <= 0x10ffff; codePoint++) {
    if (codePoint === 0xd800) codePoint = 0xe000
    const character = String.fromCodePoint(codePoint)
    const folded = foldText(character)
    if (folded === character) continue
    from += character
    to += folded
  }
  return { from, to }
}

/**
 * SQL that makes PostgreSQL's fold function the same as `foldText` of this process. translate() searches its whole table
 * for each character, so only text that holds a code point of the table pays for it.
 */
export function createFoldFunctionSql() {
  const { from, to } = foldTables()
  return `create or replace function ${foldFunction}(value text) returns text language sql immutable parallel safe as $$
  select case when value collate "C" ~ '[${from}]' then translate(lower(value collate "C"), '${from}', '${to}') else lower(value collate "C") end
$$`
}
