import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listenProblem } from '../listen-problem.ts'

/** A request that came in whole: its headers by their lower-case names, and the very bytes of its body. */
export interface Received {
  headers: Record<string, string>
  body: Buffer
  /** Milliseconds since 1970. */
  at: number
}

/** What a request is answered. */
export interface Reply {
  status: number
  headers?: Record<string, string>
  body?: string | Uint8Array
}

export interface Receiver {
  /** Where it listens, such as `http://127.0.0.1:41007`. */
  url: string
  /** Listens no more, and drops the connections that are open. */
  close(): Promise<void>
}

/** The largest body that is taken; a server's own limit for a request is a quarter of it. */
const bodyLimit = 4 * 1024 * 1024
const requestTimeoutMs = 30_000

/**
 * Listens for POST requests on any path and answers each as `answer` says; other methods, bodies that are too large and
 * slow ones are refused before. What `answer` throws goes to `onBug`, and is answered 500. Raises cli.failed when it
 * cannot listen there.
 */
export async function startReceiver(
  { host, port }: { host: string; port: number },
  answer: (received: Received) => Promise<Reply>,
  onBug: (error: unknown) => void,
): Promise<Receiver> {
  const server = createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
    answerOne(request, response, answer).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else send(response, { status: 500 })
      onBug(error)
    })
  })
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw listenProblem(error, host, port) ?? error
  }
  return {
    url: urlOf(server.address() as AddressInfo),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

async function answerOne(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (received: Received) => Promise<Reply>,
): Promise<void> {
  const at = Date.now()
  if (request.method !== 'POST')
    return send(response, { status: 405, headers: { allow: 'POST' }, body: 'Deliveries are sent by POST.\n' })
  const body = await readBody(request)
  if (body === 'gone') return
  if (body === 'too large')
    return send(response, {
      status: 413,
      headers: { connection: 'close' },
      body: `A body of more than ${bodyLimit} bytes is not taken.\n`,
    })
  send(response, await answer({ headers: headersOf(request), body, at }))
}

function readBody(request: IncomingMessage): Promise<Buffer | 'too large' | 'gone'> {
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    let size = 0
    request.on('data', (part: Buffer) => {
      size += part.length
      if (size <= bodyLimit) parts.push(part)
      else resolve('too large')
    })
    request.once('end', () => resolve(Buffer.concat(parts)))
    request.once('error', () => resolve('gone'))
    request.once('close', () => resolve('gone'))
  })
}

/** The headers by name; signatures that came in two of them stand in one, as the sender would have them. */
const headersOf = ({ headersDistinct }: IncomingMessage) =>
  Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [
      name,
      values.join(name === 'webhook-signature' ? ' ' : ', '),
    ]),
  )

function send(response: ServerResponse, { status, headers = {}, body }: Reply): void {
  const type = body === undefined ? {} : { 'content-type': 'text/plain; charset=utf-8' }
  response.writeHead(status, { ...type, ...headers }).end(body)
}

/** An address that listens on every interface is called by the machine's own. */
function urlOf({ address, family, port }: AddressInfo): string {
  const own: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
  const host = own[address] ?? address
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`
}
