// C0 and C1 controls, line and paragraph separators, everything that reorders or hides text, and lone surrogates.
const hidden =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu

/**
 * Text from a server or a file with everything that a terminal would act on, hide or reorder written as an escape
 * (`\x1b`, `\u{202e}`), so that what is read is what is there. With `lines`, line breaks and tabs stay.
 */
export function visible(text: string, { lines = false } = {}): string {
  return text.replace(hidden, (character) => {
    if (lines && (character === '\n' || character === '\t')) return character
    if (character === '\n') return '\\n'
    if (character === '\r') return '\\r'
    if (character === '\t') return '\\t'
    const point = character.codePointAt(0)!
    return point < 0x100 ? `\\x${point.toString(16).padStart(2, '0')}` : `\\u{${point.toString(16)}}`
  })
}

/** JSON text that means the same, with escapes for what a terminal would act on, hide or reorder, and for U+FFFE and U+FFFF. */
export function visibleJson(json: string): string {
  return json
    .replace(/[\ufffe\uffff]/g, escaped)
    .replace(hidden, (character) => (character === '\n' ? '\n' : escaped(character)))
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
