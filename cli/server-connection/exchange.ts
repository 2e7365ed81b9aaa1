import { Problem } from '../problems.ts'
import { transportProblem } from './transport-problems.ts'

export interface Request {
  method: string
  url: URL
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** From the first byte sent to the last byte read; 60 s. */
  timeoutMs?: number
  /** The largest answer read; 128 MiB. */
  maxBytes?: number
  /** Gives it up. */
  signal?: AbortSignal | undefined
}

/** A whole answer. */
export interface Answer {
  status: number
  statusText: string
  headers: Headers
  bytes: Uint8Array<ArrayBuffer>
}

const maxRedirects = 3

/**
 * Sends a request and reads the whole answer, within a time and a size. A redirect is followed only for GET and HEAD and
 * only to the same origin: credentials never go elsewhere. Raises cli.unreachable and cli.unreadable_answer.
 */
export async function exchange(request: Request): Promise<Answer> {
  const { method, headers, body, timeoutMs = 60_000, maxBytes = 128 * 1024 * 1024 } = request
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout
  let url = request.url
  for (let redirects = 0; ; redirects++) {
    try {
      const sent = typeof body === 'string' || body === undefined ? body : new Uint8Array(body)
      const response = await fetch(url, { method, headers, body: sent, signal, redirect: 'manual' })
      const location = isRedirect(response.status) ? response.headers.get('location') : null
      if (location === null) {
        const { status, statusText } = response
        return { status, statusText, headers: response.headers, bytes: await readWithin(response, maxBytes) }
      }
      await response.body?.cancel()
      const next = URL.canParse(location, url.href) ? new URL(location, url) : null
      if (next?.origin !== url.origin || !['GET', 'HEAD'].includes(method) || redirects === maxRedirects) {
        throw redirectProblem(url, next, response.status)
      }
      url = next
    } catch (error) {
      throw error instanceof Problem ? error : transportProblem(error, url, timeoutMs)
    }
  }
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status)
}

function redirectProblem(from: URL, to: URL | null, status: number): Problem {
  const message = `${from.origin} answered with a redirect (${status}) to ${to?.origin ?? 'an unreadable address'}, which is not followed.`
  return new Problem('cli.unreadable_answer', message, {
    hint: 'is the URL of the environment the final one (https rather than http, no login page in front)?',
    status,
  })
}

async function readWithin(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > maxBytes) throw new Problem('cli.unreadable_answer', `The answer is larger than ${maxBytes} bytes.`)
    parts.push(part)
  }
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}
