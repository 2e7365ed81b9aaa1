import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'
import { Problem } from '../problems.ts'
import { isAsking, lookFirst } from './asking.ts'
import { transportProblem } from './transport-problems.ts'

const require = createRequire(import.meta.url)
/** Required when it is needed, not imported: importing node:http loads Node's own HTTP client (fetch) too, a fifth of a command's run. */
const httpOf = (url: URL): typeof import('node:http') => require(url.protocol === 'https:' ? 'node:https' : 'node:http')

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

/** A whole answer; header names in lower case, the values of a repeated one joined with a comma. */
export interface Answer {
  status: number
  statusText: string
  headers: ReadonlyMap<string, string>
  /** Whether an answer of this status to this method may have a body. */
  hasBody: boolean
  bytes: Uint8Array
  /** Whether what was asked changes nothing. */
  isOfAsking: boolean
}

const maxRedirects = 3

/**
 * Sends a request and reads the whole answer, within a time and a size. A redirect is followed only for GET and HEAD and
 * only to the same origin: credentials never go elsewhere. Raises cli.unreachable and cli.unreadable_answer.
 */
export async function exchange(request: Request): Promise<Answer> {
  const { method, headers, timeoutMs = 60_000, maxBytes = 128 * 1024 * 1024 } = request
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout
  let url = request.url
  for (let redirects = 0; ; redirects++) {
    try {
      signal.throwIfAborted()
      const response = await send({ ...request, url, headers: { 'accept-encoding': 'gzip, br', ...headers } }, signal)
      const { statusCode: status = 0, statusMessage: statusText = '' } = response
      const location = isRedirect(status) ? response.headers.location : undefined
      if (location === undefined) {
        const hasBody = method !== 'HEAD' && ![204, 205, 304].includes(status)
        const isOfAsking = isAsking(method, url)
        const body = hasBody ? await decoded(response) : response
        const bytes = await readWithin(body, maxBytes, isOfAsking ? undefined : lookFirst)
        return { status, statusText, headers: headersOf(response), hasBody, bytes, isOfAsking }
      }
      response.destroy()
      const next = URL.canParse(location, url.href) ? new URL(location, url) : null
      if (next?.origin !== url.origin || !['GET', 'HEAD'].includes(method) || redirects === maxRedirects) {
        throw redirectProblem(url, next, status)
      }
      url = next
    } catch (error) {
      const reason = signal.aborted ? signal.reason : error
      throw reason instanceof Problem ? reason : transportProblem(reason, url, timeoutMs, method)
    }
  }
}

/**
 * Sends a request and answers as soon as the head of an answer is there; what goes wrong comes as node:http tells it. Not by
 * fetch, which takes a tenth of a second longer for its first answer. Each over a connection of its own: one kept from the
 * request before may be closed by now, and who learns that when it has sent cannot tell whether it was heard.
 */
export async function send(
  { method, url, headers, body }: Omit<Request, 'signal'>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { request } = httpOf(url)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, ...length }, signal })
    sent.shouldKeepAlive = false
    sent
      .on('response', resolve)
      // Also what goes wrong after the answer has begun, which is told by its body then.
      .on('error', reject)
      // Without an error where the server would go on in another protocol (101).
      .on('close', () => reject(Object.assign(new Error('no answer'), { code: 'ECONNRESET' })))
      .end(body)
  })
}

async function decoded(response: IncomingMessage): Promise<Readable> {
  const encoding = response.headers['content-encoding']?.toLowerCase()
  if (encoding !== 'gzip' && encoding !== 'br') return response
  const [{ createGunzip, createBrotliDecompress }, { pipeline }] = await Promise.all([
    import('node:zlib'),
    import('node:stream'),
  ])
  return pipeline(response, encoding === 'br' ? createBrotliDecompress() : createGunzip(), () => {})
}

const headersOf = ({ headersDistinct }: IncomingMessage) =>
  new Map(Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]))

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

async function readWithin(body: Readable, maxBytes: number, hint: string | undefined): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > maxBytes)
      throw new Problem('cli.unreadable_answer', `The answer is larger than ${maxBytes} bytes.`, {
        ...(hint && { hint }),
      })
    parts.push(part)
  }
  return Buffer.concat(parts, size)
}
