import { jsonIn } from '../../licenses/license-file.ts'
import { otherLayouts } from './json-layouts.ts'
import type { Candidate, Deviation, HintCode } from './near-miss.ts'

type OtherBody = Candidate<Buffer> & { deviation: Deviation }

/** The bodies that these bytes may have been, or become, on the way, each once; `contentLength` is what the header counts. */
export function otherBodies(body: Buffer, contentLength: number | null): OtherBody[] {
  const found = new Map<string, OtherBody>()
  const known = body.toString('latin1')
  for (const one of [...brokenBodies(body, contentLength), ...decodedBodies(body), ...writtenBodies(body)]) {
    const bytes = one.value.toString('latin1')
    if (bytes !== known && !found.has(bytes)) found.set(bytes, one)
  }
  return [...found.values()]
}

/** With other ends, line breaks, or none of it. */
function brokenBodies(body: Buffer, contentLength: number | null): OtherBody[] {
  const text = body.toString('latin1')
  const otherText = (changed: string, ...said: [HintCode, string, string]) =>
    otherBody(Buffer.from(changed, 'latin1'), ...said)
  const cut = 'Something cut it off (a shell’s $(…), trim, a form): keep the bytes as they came.'
  const mark = 'Read and write the body without a byte order mark.'
  const breaks = 'git, an editor or writing in text mode changed them: keep the bytes as they came.'
  return [
    otherText(text.replace(/\r?\n$/, ''), 'body_line_break', 'the line break after the body is left out', added),
    otherText(text.trim(), 'body_line_break', 'the blanks around the body are left out', added),
    otherText(`${text}\n`, 'body_line_break', 'a line break (LF) follows the body', cut),
    otherText(`${text}\r\n`, 'body_line_break', 'a line break (CRLF) follows the body', cut),
    otherText(text.replaceAll('\r\n', '\n'), 'body_line_endings', 'lines of the body end with LF, not CRLF', breaks),
    otherText(text.replace(/\r?\n/g, '\r\n'), 'body_line_endings', 'lines of the body end with CRLF, not LF', breaks),
    otherText(text.replace(/^\xef\xbb\xbf/, ''), 'body_byte_order_mark', 'the byte order mark is left out', mark),
    otherText(`\xef\xbb\xbf${text}`, 'body_byte_order_mark', 'a byte order mark stands before the body', mark),
    otherText('', 'body_empty', 'the body is empty', consumed),
    ...(contentLength === null || contentLength >= body.length
      ? []
      : [
          otherBody(
            body.subarray(0, contentLength),
            'body_longer',
            `the body ends after the ${contentLength} bytes that content-length counts`,
            added,
          ),
        ]),
  ]
}

/** In another encoding, or taken out of one. */
function decodedBodies(body: Buffer): OtherBody[] {
  const text = body.toString('utf8')
  const latin = body.toString('latin1')
  const encode = 'Keep the bytes as they came; a text has to be read and written as UTF-8, once.'
  const found = [
    otherBody(
      Buffer.from(body.toString('utf16le').replace(/^\ufeff/, '')),
      'body_encoding',
      'the body is written in UTF-8, not UTF-16',
      'PowerShell’s > writes UTF-16: save the bytes, or use -Encoding utf8NoBOM.',
    ),
    otherBody(Buffer.from(latin), 'body_encoding', 'the body is written in UTF-8, not Latin-1', encode),
    otherBody(Buffer.from(text, 'latin1'), 'body_encoding', 'the body is written in Latin-1, not UTF-8', encode),
  ]
  const inner = jsonIn(text)
  if (typeof inner === 'string')
    found.push(
      otherBody(
        Buffer.from(inner),
        'body_wrapped',
        'the body is what the JSON string holds',
        'It was written as JSON twice: keep the bytes as they came.',
      ),
    )
  if (/^[\w+/-]+=*\s*$/.test(latin))
    found.push(
      otherBody(
        Buffer.from(latin, 'base64'),
        'body_wrapped',
        'the body is decoded from base64',
        'API gateways hand bodies over in base64 (isBase64Encoded): decode it before it is verified.',
      ),
    )
  const joined = joinChunks(body)
  if (joined)
    found.push(
      otherBody(
        joined,
        'body_wrapped',
        'the chunks of the body are joined',
        'It was sent in chunks (transfer-encoding): what is signed is the body without their sizes.',
      ),
    )
  return found
}

/** Written again as JSON. */
const writtenBodies = (body: Buffer): OtherBody[] =>
  otherLayouts(body.toString('utf8')).map(({ text, words }) =>
    otherBody(Buffer.from(text), 'body_reserialised', `the body is JSON written ${words}`, rawBytes),
  )

/** A body in chunks (RFC 9112 §7.1) without their sizes; undefined for any other. */
function joinChunks(body: Buffer): Buffer | undefined {
  const chunks: Buffer[] = []
  let start = 0
  for (;;) {
    const end = body.indexOf('\r\n', start)
    const size = end === -1 || end - start > 8 ? undefined : body.toString('latin1', start, end)
    if (size === undefined || !/^[0-9a-f]+$/i.test(size)) return undefined
    const length = Number.parseInt(size, 16)
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(body.subarray(end + 2, end + 2 + length))
    start = end + 2 + length + 2
  }
}

const added = 'An editor, echo or a template added it: keep the bytes as they came (curl --data-binary, printf %s).'
const consumed = 'The stream had been read before: take the raw body first, and parse it afterwards.'
const rawBytes =
  'It was parsed and written again. A receiver verifies the raw bytes of the request, before anything parses them (express.raw(), request.get_data(), io.ReadAll).'
const otherBody = (value: Buffer, code: HintCode, condition: string, advice: string): OtherBody => ({
  value,
  deviation: { code, condition, advice },
})
