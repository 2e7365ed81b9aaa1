import {
  doubleQuoted,
  literalText,
  mayBePlain,
  type Scalar,
  singleQuoted,
  wordText,
} from '../formatting/scalar-text.ts'
import { type NodeForm, nodeForm } from '../node-table.ts'
import { isPlainSpelling, resolvePlain } from '../scalars.ts'
import { foldedText } from './folding.ts'

/** How a scalar stands in a file. */
export interface Standing {
  form: NodeForm
  /** The scalar as it is written, without quotes. */
  text: string
  inFlow: boolean
  isJson: boolean
}

/** A scalar as it is to be written: on one line, or as a block. */
export type Restyled = { inline: string } | { header: string; lines: string[] }

/**
 * A new value in the style of the old one where the style permits it, else in the nearest that does: a number stays
 * quoted if it was, text that was a bare number stays one, a block stays a block.
 */
export function restyled(value: Scalar, { form, text, inFlow, isJson }: Standing): Restyled {
  const isQuoted = form === nodeForm.singleQuoted || form === nodeForm.doubleQuoted
  if (typeof value !== 'string') {
    if (typeof value === 'number' && isQuoted) return { inline: inStyle(wordText(value), form, inFlow, isJson) }
    return { inline: wordText(value) }
  }
  if (form === nodeForm.plain && isBareWord(text) && isBareWord(value)) return { inline: value }
  const isBlock = form === nodeForm.literal || form === nodeForm.folded
  const mayBeBlock = !inFlow && !isJson
  if (mayBeBlock && (isBlock || (value.includes('\n') && form !== nodeForm.doubleQuoted))) {
    const block = (form === nodeForm.folded ? foldedText(value, text) : undefined) ?? literalText(value)
    if (block !== undefined) return block
  }
  return { inline: inStyle(value, form, inFlow, isJson) }
}

/** Whether text is the way that a number or truth value is written, so that it may stand bare where text is kept. */
function isBareWord(text: string): boolean {
  const bare = resolvePlain(text)
  return (typeof bare === 'number' || typeof bare === 'boolean') && isPlainSpelling(text, bare)
}

function inStyle(text: string, form: NodeForm, inFlow: boolean, isJson: boolean): string {
  if (isJson || form === nodeForm.doubleQuoted) return doubleQuoted(text)
  if (form !== nodeForm.singleQuoted && mayBePlain(text, inFlow)) return text
  return singleQuoted(text) ?? doubleQuoted(text)
}
