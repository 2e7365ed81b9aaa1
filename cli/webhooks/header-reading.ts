import { isObject, strictJsonIn } from '../json-objects.ts'
import { Problem } from '../problems.ts'

/** Headers by name: in lower case, words joined by hyphens. */
export type Headers = ReadonlyMap<string, string>

/** A header line (RFC 9112 §5). */
const headerLine = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/
/** What stands between headers without being one: request and status lines, the pseudo-headers of HTTP/2, blank lines. */
const besides = /^(?:[A-Z]+ \S+(?: HTTP\/[\d.]+)?|HTTP\/[\d.]+ \d{3}.*|:[a-z]+:.*|)$/
/** A line that `curl -v` marks as sent. */
const sentLine = /^>(?: |$)/

const hint =
  'lines of "webhook-id: 0199…", or a JSON object of them: {"webhook-id": "0199…", "webhook-timestamp": "…", "webhook-signature": "v1,…"}'

/** The headers of a text: lines of `Name: value`, or a JSON object of texts or lists of them. Raises cli.input; what the text says is never repeated. */
export function readHeaders(text: string, name: string): Headers {
  if (!text.trimStart().startsWith('{')) return headersOf(text.split(/\r?\n/), name)
  const value = strictJsonIn(Buffer.from(text))
  if (!isObject(value))
    throw new Problem('cli.input', `${name} begins as JSON and is none, or holds a key twice.`, { hint })
  if (Object.values(value).some(isObject))
    throw new Problem('cli.input', `${name} holds objects within its JSON object; the headers are expected alone.`, {
      hint,
    })
  return gather(
    Object.entries(value).flatMap(([key, said]) =>
      [said].flat().flatMap((one) => (typeof one === 'string' || typeof one === 'number' ? [[key, `${one}`]] : [])),
    ) as [string, string][],
    name,
  )
}

/** The headers of lines; of those that `curl -v` prints, the sent ones. Raises cli.input for a line that is none. */
export function headersOf(lines: readonly string[], name: string): Headers {
  const isMarked = lines.some((line) => sentLine.test(line))
  const found = lines.flatMap((marked, at): [string, string][] => {
    if (isMarked && !sentLine.test(marked)) return []
    const line = isMarked ? marked.replace(sentLine, '') : marked
    const [, key, value] = headerLine.exec(line) ?? []
    if (key !== undefined && value !== undefined) return [[key, value.trim()]]
    if (besides.test(line.trimEnd())) return []
    throw new Problem('cli.input', `Line ${at + 1} of ${name} is no header.`, { hint })
  })
  return gather(found, name)
}

function gather(found: readonly [string, string][], name: string): Headers {
  const headers = new Map<string, string>()
  for (const [key, value] of found) {
    const header = plainName(key)
    const before = headers.get(header)
    if (before !== undefined && before !== value && singular.has(header))
      throw new Problem('cli.input', `${name} has ${header} twice, and they differ.`)
    headers.set(header, before === undefined || before === value ? value : `${before} ${value}`)
  }
  return headers
}

const singular = new Set(['webhook-id', 'webhook-timestamp', 'content-length'])

/** A name as it is sent, whatever a framework made of it (`HTTP_WEBHOOK_ID`). */
const plainName = (name: string) =>
  name
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^http-/, '')
