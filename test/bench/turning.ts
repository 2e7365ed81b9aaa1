import type { Shot } from './load.ts'

/** A request; POST unless it says otherwise, and with a JSON body or none. */
export interface Parts {
  method?: 'GET' | 'POST'
  path: string
  token?: string
  /** JSON in ASCII, written out or as a value. */
  body?: string | object
}

const textOf = ({ body }: Parts) => (typeof body === 'object' ? JSON.stringify(body) : body)

/** The bytes of a request. */
export function requestOf(origin: string, parts: Parts): Buffer {
  const { method = 'POST', path, token } = parts
  const text = textOf(parts)
  const head = [`${method} ${path} HTTP/1.1`, `host: ${new URL(origin).host}`, 'accept: application/json']
  if (method === 'POST') head.push(`content-length: ${text?.length ?? 0}`)
  if (token !== undefined) head.push(`authorization: Bearer ${token}`)
  if (text !== undefined) head.push('content-type: application/json')
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text ?? ''}`)
}

/** Asks once and answers the JSON; throws unless the answer is 2xx. */
export async function askOnce(origin: string, parts: Parts): Promise<ReturnType<typeof JSON.parse>> {
  const { method = 'POST', path, token } = parts
  const body = textOf(parts)
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const answer = await fetch(`${origin}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`)
  return JSON.parse(text)
}

/** A shot that is another one each time: `parts` says what the next one is. */
export const turning = (origin: string, parts: () => Parts): Shot => ({
  origin,
  status: 200,
  bytes: () => requestOf(origin, parts()),
})

/** Each of the values in turn, over and over. */
export function inTurn<T>(values: readonly T[]): () => T {
  let next = 0
  return () => values[next++ % values.length]!
}
