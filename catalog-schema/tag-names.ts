/**
 * The one folding by which tag names are told apart: letter case aside, each code point on its own (`İ` as `i`, `Σ`
 * always as `σ`), whatever the language.
 */
export const foldTagName = (name: string) => name.replaceAll('\u0130', 'i').replaceAll('\u03a3', '\u03c3').toLowerCase()
