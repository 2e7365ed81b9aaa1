import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bodyReader } from '../../../server/kit/rest/body-reading.ts'
import { answerProblems } from '../../../server/kit/rest/refusals.ts'

const MiB = 1024 * 1024
let app: ReturnType<typeof fastify>
let opened: Socket[]

beforeEach(async () => {
  opened = []
  app = fastify({ bodyLimit: 16 * MiB })
  answerProblems(app as never, () => 'http://x', {})
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', bodyReader(4 * MiB))
  app.post('/', async ({ body }: { body: unknown }) => ({ length: (body as Buffer).length }))
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => {
  for (const socket of opened) socket.destroy()
  return app.close()
})

/** Begins a request of so many bytes, and sends some of them. */
function begin(length: number, sent: number): Socket {
  const socket = connect({ port: (app.server.address() as AddressInfo).port, host: '127.0.0.1' })
  opened.push(socket.on('error', () => undefined))
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`)
  socket.write(Buffer.alloc(sent))
  return socket
}

const answerOf = async (socket: Socket) => String((await once(socket, 'data'))[0])

test('bodies that never come whole take no more memory than there is for them, and small ones go on', async () => {
  const begun = [begin(8 * MiB, 2 * MiB), begin(8 * MiB, 2 * MiB), begin(8 * MiB, 2 * MiB)]
  const refused = await Promise.race(begun.map(answerOf))
  expect(refused).toMatch(/^HTTP\/1\.1 503 .*retry-after: 1\r\n.*"codeName":"server\.unavailable"/is)
  expect(await answerOf(begin(10, 10))).toContain('{"length":10}')
  // What was given up no longer counts.
  for (const socket of begun) socket.destroy()
  await expect.poll(() => answerOf(begin(3 * MiB, 3 * MiB))).toContain('{"length":3145728}')
})
