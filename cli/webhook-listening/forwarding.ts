import { Problem } from '../problems.ts'
import { transportProblem } from '../server-connection/transport-problems.ts'
import type { Received, Reply } from './receiver.ts'

/** What became of a delivery that was handed on: the endpoint's status, or why there is none, and how long it took. */
export interface Forwarded {
  status: number | null
  error: string | null
  millis: number
}

/** The ports that fetch sends nothing to (https://fetch.spec.whatwg.org/#port-blocking). */
const blockedPorts = new Set([
  ...[
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  ],
  ...[
    111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  ],
  ...[540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061],
  ...[6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080],
])

/** Raises cli.usage for an endpoint that nothing can be handed on to, because of its port. */
export function refuseBlockedPort({ port }: URL): void {
  if (!blockedPorts.has(Number(port))) return
  throw new Problem('cli.usage', `--forward-to names port ${port}, which belongs to another protocol than HTTP.`, {
    hint: 'have the endpoint listen at another port, such as 8080',
  })
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
  try {
    const response = await fetch(to, {
      method: 'POST',
      headers: Object.fromEntries(
        Object.entries(headers).filter(([name]) => name === 'content-type' || name.startsWith('webhook-')),
      ),
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { status } = response
    const answer = await readStart(response)
    const kept = passedBack.flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value]]
    })
    return {
      forwarded: { status, error: null, millis: millis() },
      reply: { status, headers: Object.fromEntries(kept), ...(answer.length > 0 && { body: answer }) },
    }
  } catch (error) {
    const problem = transportProblem(error, to, timeoutMs)
    if (!(problem instanceof Problem)) throw problem
    const { message } = problem
    return {
      forwarded: { status: null, error: message, millis: millis() },
      reply: { status: 502, body: `${message}\n` },
    }
  }
}

async function readStart(response: Response): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    parts.push(part)
    size += part.length
    if (size >= answerLimit) break
  }
  return Buffer.concat(parts).subarray(0, answerLimit)
}
