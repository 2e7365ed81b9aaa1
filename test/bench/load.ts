import { connect, type Socket } from 'node:net'

/** A request as bytes, and whether its answer is the right one. */
export interface Shot {
  origin: string
  bytes: () => Buffer
  status: number
}

/** A request to be sent over and over; a body is made anew each time. */
export function shot(
  origin: string,
  method: string,
  path: string,
  { headers = {}, body, status = 200 }: { headers?: Record<string, string>; body?: () => string; status?: number } = {},
): Shot {
  const head = [`${method} ${path} HTTP/1.1`, `host: ${new URL(origin).host}`]
  for (const [name, value] of Object.entries(headers)) head.push(`${name}: ${value}`)
  const fixed = Buffer.from(`${head.join('\r\n')}\r\n\r\n`)
  if (!body) return { origin, bytes: () => fixed, status }
  return {
    origin,
    bytes: () => {
      const text = body()
      return Buffer.from(`${head.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
    },
    status,
  }
}

/**
 * Requests a second over so many kept-alive connections, one request at a time on each. Bare sockets: the measuring
 * costs less than what is measured. Throws at the first answer that is not the right one.
 */
export async function requestsPerSecond(
  origin: string,
  { bytes, status }: Shot,
  { connections = 32, millis = 500 } = {},
): Promise<number> {
  let answered = 0
  let going = true
  const until = performance.now() + millis
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const connection = await openConnection(origin)
      try {
        while (going && performance.now() < until) {
          await connection.ask(bytes(), status)
          answered += 1
        }
      } catch (error) {
        going = false
        throw error
      } finally {
        connection.close()
      }
    }),
  )
  return (answered / (performance.now() - begun)) * 1000
}

/** Requests a second when each of so many requests is sent once, over so many connections. */
export async function rateOfAll(origin: string, requests: readonly Buffer[], connections = 64): Promise<number> {
  let next = 0
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const connection = await openConnection(origin)
      while (next < requests.length) await connection.ask(requests[next++]!, 200)
      connection.close()
    }),
  )
  return (requests.length / (performance.now() - begun)) * 1000
}

/** Milliseconds from when each request was due until it was answered, at an even pace, whatever the answers take. */
export async function latencies(
  origin: string,
  { bytes, status }: Shot,
  { perSecond, millis, connections = 24 }: { perSecond: number; millis: number; connections?: number },
): Promise<number[]> {
  const idle = await Promise.all(Array.from({ length: connections }, () => openConnection(origin)))
  const all = [...idle]
  const waiting: (() => void)[] = []
  const taken: number[] = []
  const begun = performance.now()
  const running: Promise<void>[] = []
  for (let index = 0; index < (perSecond * millis) / 1000; index++) {
    const due = begun + (index * 1000) / perSecond
    // A timer takes a millisecond at least: whoever is late does not wait for one, or would be later each time.
    const ahead = due - performance.now()
    if (ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead))
    running.push(
      (async () => {
        while (idle.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
        const connection = idle.pop()!
        await connection.ask(bytes(), status)
        taken.push(performance.now() - due)
        idle.push(connection)
        waiting.shift()?.()
      })(),
    )
  }
  await Promise.all(running)
  for (const connection of all) connection.close()
  return taken
}

interface Connection {
  ask(bytes: Buffer, status: number): Promise<void>
  close(): void
}

async function openConnection(origin: string): Promise<Connection> {
  const { hostname, port } = new URL(origin)
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let settle: { resolve: () => void; reject: (error: Error) => void; status: number } | undefined
  let pending = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    const end = pending.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = pending.toString('latin1', 0, end)
    const length = Number(/\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (pending.length < end + 4 + length) return
    const body = pending.subarray(end + 4)
    pending = Buffer.alloc(0)
    const asked = settle!
    settle = undefined
    if (Number(head.slice(9, 12)) === asked.status) asked.resolve()
    else asked.reject(new Error(`expected ${asked.status}: ${head.slice(0, 40)} ${body.toString('utf8', 0, 300)}`))
  })
  const fail = (error?: Error) => settle?.reject(error ?? new Error('the server closed the connection'))
  socket.on('error', fail).on('close', () => fail())
  return {
    ask: (bytes, status) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject, status }
        socket.write(bytes)
      }),
    close: () => socket.destroy(),
  }
}
