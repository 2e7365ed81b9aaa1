import { readInput } from '../input-files.ts'
import { Problem } from '../problems.ts'
import type { ServerClient } from '../server-client.ts'
import { jsonOf } from '../server-connection/answer-body.ts'
import type { Answer } from '../server-connection/exchange.ts'
import { refusal } from '../server-connection/refusals.ts'

/** Headers that the client sets itself: credentials come from the environment alone, framing from the body. */
const reserved = new Set([
  ...['authorization', 'cookie', 'host', 'content-length', 'transfer-encoding', 'accept-encoding'],
  ...['connection', 'keep-alive', 'upgrade', 'expect', 'te', 'trailer'],
])

/** `Name: value` lines as headers. Raises cli.usage. */
export function headersFrom(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e]*)$/.exec(line) ?? []
      if (name === undefined || value === undefined) {
        throw new Problem('cli.usage', 'A header is written "Name: value", in ASCII.', {
          hint: '--header \'If-Match: "3"\'',
        })
      }
      if (reserved.has(name.toLowerCase())) throw new Problem('cli.usage', `The header ${name} is set by licet itself.`)
      return [name.toLowerCase(), value]
    }),
  )
}

/** The body that --data means: `@file`, `@-` or `-` for stdin, anything else as it stands. */
export async function dataFrom(data: string): Promise<Uint8Array | string> {
  if (data === '-') return readInput('-')
  return data.startsWith('@') ? readInput(data.slice(1)) : data
}

/** Every item of a paged list: the first answer's page and all that follow it. Raises cli.failed when it is no list. */
export async function listAll(server: ServerClient, path: string, headers: Record<string, string>): Promise<unknown[]> {
  const host = new URL(server.environment.url).host
  const items: unknown[] = []
  for (let pageNumber = 1; ; pageNumber++) {
    const answer: Answer = await server.request(
      'GET',
      withQuery(path, { pageNumber: String(pageNumber), pageSize: '100' }),
      { headers },
    )
    if (answer.status >= 400) throw refusal(answer, host)
    const page = jsonOf(answer, host) as { items?: unknown; hasNextPage?: unknown } | null
    if (!Array.isArray(page?.items))
      throw new Problem('cli.failed', 'The answer is not a list with pages.', { hint: 'leave out --paginate' })
    items.push(...page.items)
    if (page.hasNextPage !== true || page.items.length === 0) return items
  }
}

function withQuery(path: string, query: Record<string, string>): string {
  const start = path.indexOf('?')
  const [pathname, search] = start < 0 ? [path, ''] : [path.slice(0, start), path.slice(start + 1)]
  const parameters = new URLSearchParams(search)
  for (const [name, value] of Object.entries(query)) parameters.set(name, value)
  return `${pathname}?${parameters}`
}
