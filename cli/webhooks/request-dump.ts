import { Problem } from '../problems.ts'
import { type Headers, headersOf } from './header-reading.ts'

/**
 * The headers and the body of a raw HTTP message (RFC 9112), lines ended by LF or CRLF. The body is every byte after the
 * blank line, whatever content-length counts. Raises cli.input when there is no blank line, or a line that is no header.
 */
export function splitRequest(bytes: Buffer, name: string): { headers: Headers; body: Buffer } {
  const lines: string[] = []
  let start = bytes.indexOf(byteOrderMark) === 0 ? byteOrderMark.length : 0
  for (;;) {
    const end = bytes.indexOf(lineFeed, start)
    if (end === -1)
      throw new Problem('cli.input', `${name} has no blank line: where the body begins cannot be told.`, {
        hint: 'the whole request, its body after a blank line; or the body in --body and the rest in --headers',
      })
    const line = bytes.toString('latin1', start, end).replace(/\r$/, '')
    start = end + 1
    // A message may come after blank lines (RFC 9112 §2.2).
    if (line === '' && lines.length > 0) return { headers: headersOf(lines, name), body: bytes.subarray(start) }
    if (line !== '') lines.push(line)
  }
}

const lineFeed = 0x0a
const byteOrderMark = Buffer.from('\ufeff')
