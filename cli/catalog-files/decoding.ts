import { isUtf8 } from 'node:buffer'
import { indexLines } from './lines.ts'
import type { Refusal } from './refusals.ts'
import { collectRefusals } from './refusals.ts'

/** The largest catalog file that is read, in bytes. */
export const maxFileBytes = 64 * 1024 * 1024

/** A file's text, and what is wrong with its encoding; a text with refusals is good for showing lines only. */
export interface Decoded {
  text: string
  refusals: Refusal[]
}

/** Decodes UTF-8 strictly: byte order marks, UTF-16, broken sequences and control characters are refused by place; JSON may hold those of RFC 8259 §7. */
export function decodeText(bytes: Uint8Array, syntax: 'yaml' | 'json' = 'yaml'): Decoded {
  if (bytes.length > maxFileBytes) return refuseWhole('too-large', tooLarge(bytes.length))
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) {
    return refuseWhole('byte-order-mark', 'The file starts with a byte order mark; save it as UTF-8 without BOM.')
  }
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff) || bytes[0] === 0 || bytes[1] === 0) {
    return refuseWhole('encoding', 'The file looks like UTF-16; save it as UTF-8.')
  }
  if (!isUtf8(bytes)) return refuseBrokenUtf8(bytes)
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  return { text, refusals: findControlCharacters(text, syntax === 'json' ? notInJson : notPrintable) }
}

/** JSON text with a letter in the place of each character that may stand there between quotes and in YAML may not. */
export const printableJson = (text: string): string => text.replace(notPrintable, 'x')

/** What to say of a file that is over `maxFileBytes`. */
export function tooLarge(size: number): string {
  return `The file has ${size} bytes; at most ${maxFileBytes} (64 MiB) are read. Split it into several files.`
}

function startsWith(bytes: Uint8Array, ...expected: number[]): boolean {
  return expected.every((byte, index) => bytes[index] === byte)
}

function refuseWhole(rule: Refusal['rule'], message: string): Decoded {
  return { text: '', refusals: [{ rule, message, line: 1, col: 1, endLine: 1, endCol: 1 }] }
}

function refuseBrokenUtf8(bytes: Uint8Array): Decoded {
  const lenient = new TextDecoder('utf-8', { ignoreBOM: true })
  const text = lenient.decode(bytes)
  const again = new TextEncoder().encode(text)
  let broken = bytes.findIndex((byte, index) => byte !== again[index])
  while (!isUtf8(bytes.subarray(0, broken))) broken--
  const offset = lenient.decode(bytes.subarray(0, broken)).length
  const { refusals, refuse } = collectRefusals(indexLines(text))
  refuse('encoding', offset, offset + 1, 'From here on the file is not UTF-8; save it as UTF-8.')
  return { text, refusals }
}

/** Characters that YAML 1.2 §5.1 calls not printable, and a byte order mark inside the text. */
const notPrintable = /[[\p{Cc}\uFEFF\uFFFE\uFFFF]--[\t\n\r\u0085]]/gv
/** What of these JSON does not allow between quotes either; outside of quotes it allows none. */
const notInJson = /[\p{Cc}--[\t\n\r\u007f-\u009f]]/gv

function findControlCharacters(text: string, refused: RegExp): Refusal[] {
  if (text.search(refused) < 0) return []
  const { refusals, refuse } = collectRefusals(indexLines(text))
  for (const found of text.matchAll(refused)) {
    const code = found[0].charCodeAt(0)
    const shown = code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
    const advice = code === 0 ? 'remove it' : 'remove it, or write the escape between double quotes'
    refuse(
      'control-character',
      found.index,
      found.index + 1,
      `The file holds the control character ${shown}; ${advice}.`,
    )
  }
  return refusals
}
