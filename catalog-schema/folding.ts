/**
 * The text with each code point lower-cased on its own, for comparing without regard to case: `İ` becomes `i`, `Σ` always
 * `σ`, and whatever would become two code points stays (`ß` equals `ẞ`, not `SS`). No language and no neighbour matters.
 */
export function foldText(text: string) {
  // These two are all that String.prototype.toLowerCase treats otherwise than code point by code point.
  return text.replaceAll('\u0130', 'i').replaceAll('\u03a3', '\u03c3').toLowerCase()
}
