import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answerInTurn } from '../../../server/kit/rest/answering-in-turn.ts'
import { lingerOnClosing } from '../../../server/kit/rest/lingering.ts'

const MiB = 1024 * 1024
/** No test waits for so long: one that should end before does, or runs into its own limit. */
const limits = { millis: 60_000, bytes: 8 * MiB }

let app: ReturnType<typeof fastify>
let asked: string[]

beforeEach(() => serve(limits))
afterEach(() => app.close())

async function serve(given: typeof limits) {
  app = fastify()
  asked = []
  answerInTurn(app as never)
  lingerOnClosing(app as never, given)
  app.addHook('onRequest', async ({ url }: FastifyRequest, reply: FastifyReply) => {
    asked.push(url)
    if (url === '/refused') return reply.code(403).header('connection', 'close').send('no')
  })
  app.post('/*', async () => 'done')
  await app.listen({ host: '127.0.0.1', port: 0 })
}

/** Sends the head of a request that is refused, and waits for the answer. */
async function openRefused(length: number): Promise<Socket> {
  const socket = connect({ port: (app.server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined)
  socket.write(
    `POST /refused HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`,
  )
  const [answer] = await once(socket, 'data')
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 403 .*connection: close\r\n.*no$/s)
  return socket
}

const closing = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))

test('the answer comes at once, and the connection ends when the rest of the request is there', async () => {
  const socket = await openRefused(2 * MiB)
  const closed = closing(socket)
  socket.write(Buffer.alloc(MiB))
  await new Promise((resolve) => setTimeout(resolve, 100))
  socket.end(Buffer.alloc(MiB - 1))
  await closed
  expect(socket.errored).toBe(null)
})

test('who sends no more is waited for only so long, which holds up the closing of the server no longer', async () => {
  await app.close()
  await serve({ ...limits, millis: 400 })
  const start = Date.now()
  const socket = await openRefused(2 * MiB)
  await app.close()
  expect(Date.now() - start).toBeGreaterThanOrEqual(350)
  socket.destroy()
})

test('who sends too much is cut off before the time is up', async () => {
  const socket = await openRefused(1000 * MiB)
  const closed = closing(socket)
  for (let sent = 0; sent < 2 * limits.bytes; sent += MiB) socket.write(Buffer.alloc(MiB))
  await closed
})

test('a request behind it on the same connection is not run', async () => {
  const socket = await openRefused(2)
  const closed = closing(socket)
  socket.end('}POST /behind HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n')
  await closed
  expect(asked).toEqual(['/refused'])
})
