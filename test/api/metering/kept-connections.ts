import { Agent, request } from 'node:http'

type Json = ReturnType<typeof JSON.parse>

/** An answer, its text as it came. */
export interface Said {
  status: number
  text: string
  body: Json
}

/** What is sent beside the token. */
export interface Sent {
  headers?: Record<string, string>
  /** As it is, with the content type of JSON. */
  body?: string
}

/**
 * Requests to an origin over connections that are kept, many at a time: a fraction of what fetch costs. Paths go out as they
 * are written. Rejects when there is no answer, as of a server that was killed.
 */
export function keptConnections(connections = 50) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const ask = (method: string, url: string, token: string | null, { headers = {}, body }: Sent = {}): Promise<Said> =>
    new Promise((resolve, reject) => {
      const { hostname, port, origin } = new URL(url)
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const call = request({
        ...{ agent, hostname, port, method, path: url.slice(origin.length) },
        headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...type, ...headers },
      })
      call.on('error', reject)
      call.on('response', (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part) => parts.push(part))
        answer.on('error', reject)
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString()
          resolve({ status: answer.statusCode!, text, body: text === '' ? undefined : JSON.parse(text) })
        })
      })
      call.end(body)
    })
  return { ask, close: () => agent.destroy() }
}
