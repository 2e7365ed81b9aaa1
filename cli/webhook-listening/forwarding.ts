import { Problem } from '../problems.ts'
import { send } from '../server-connection/exchange.ts'
import { transportProblem } from '../server-connection/transport-problems.ts'
import type { Received, Reply } from './receiver.ts'

/** What became of a delivery that was handed on: the endpoint's status, or why there is none, and how long it took. */
export interface Forwarded {
  status: number | null
  error: string | null
  millis: number
}

/** Shorter than what a server waits, so that it hears of it. */
const timeoutMs = 25_000
/** All that a server reads of an answer. */
const answerLimit = 64 * 1024

/** The headers of the endpoint that mean something to who delivers. */
const passedBack = ['content-type', 'retry-after']

/**
 * Hands on a delivery with its very bytes, its content type and its webhook headers; the reply is the endpoint's own, so
 * that whoever delivers tries again when the endpoint refuses. Nothing is followed elsewhere.
 */
export async function forwardDelivery(
  to: URL,
  { headers, body }: Received,
): Promise<{ forwarded: Forwarded; reply: Reply }> {
  const begun = performance.now()
  const millis = () => Math.round(performance.now() - begun)
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const handedOn = Object.entries(headers).filter(([name]) => name === 'content-type' || name.startsWith('webhook-'))
    const request = { method: 'POST', url: to, headers: Object.fromEntries(handedOn), body }
    const response = await send(request, signal)
    const { statusCode: status = 0 } = response
    const answer = await readStart(response)
    const kept = passedBack.flatMap((name) => {
      const value = response.headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    })
    return {
      forwarded: { status, error: null, millis: millis() },
      reply: { status, headers: Object.fromEntries(kept), ...(answer.length > 0 && { body: answer }) },
    }
  } catch (error) {
    const problem = transportProblem(signal.aborted ? signal.reason : error, to, timeoutMs)
    if (!(problem instanceof Problem)) throw problem
    const { message } = problem
    return {
      forwarded: { status: null, error: message, millis: millis() },
      reply: { status: 502, body: `${message}\n` },
    }
  }
}

async function readStart(response: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response) {
    parts.push(part)
    size += part.length
    if (size >= answerLimit) break
  }
  return Buffer.concat(parts).subarray(0, answerLimit)
}
