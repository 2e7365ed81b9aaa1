import type { ScalarRefusal } from './scalars.ts'

/**
 * Why a double-quoted scalar is refused: an escape for NUL, for one half of a surrogate pair, or beyond Unicode, or an
 * escaped line break before a blank line, of which every YAML reader makes something else.
 * `raw` is what stands between the quotes, `text` what it decodes to.
 */
export function findEscapeRefusal(raw: string, text: string): ScalarRefusal | undefined {
  if (text.includes('\0')) {
    return {
      rule: 'control-character',
      message: 'The text holds the character NUL, which no record can keep; remove it.',
    }
  }
  for (const [, digits, blankLine] of raw.matchAll(/\\(?:U([0-9A-Fa-f]{8})|(\r?\n[ \t]*[\r\n])|.)/gs)) {
    if (blankLine !== undefined) {
      return { rule: 'syntax', message: 'A blank line follows an escaped line break; remove it, or write \\n.' }
    }
    if (digits !== undefined && Number.parseInt(digits, 16) > 0x10ffff) {
      return { rule: 'lone-surrogate', message: `\\U${digits} is beyond the last character of Unicode; correct it.` }
    }
  }
  if (text.isWellFormed()) return undefined
  return { rule: 'lone-surrogate', message: 'The text holds one half of a surrogate pair; write the whole character.' }
}
