import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answerInTurn } from '../../../server/kit/rest/answering-in-turn.ts'
import { refuseWhileDraining } from '../../../server/kit/rest/draining.ts'

const makeApp = () => fastify({ forceCloseConnections: 'idle', return503OnClosing: false })

/** More than the kernel takes at once. */
const largeLength = 50_000_000

let app: ReturnType<typeof makeApp>
let drain: ReturnType<typeof refuseWhileDraining>
let answerSlow: () => void
let slowRuns: Promise<void>

beforeEach(async () => {
  app = makeApp()
  answerInTurn(app as never)
  drain = refuseWhileDraining(app as never, 300)
  const running = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  slowRuns = running.promise
  answerSlow = answer.resolve
  app.get('/quick', async () => 'done')
  app.get('/large', async () => Buffer.alloc(largeLength))
  app.post('/slow', async () => {
    running.resolve()
    await answer.promise
    return 'done'
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => app.close())

async function open(text: string): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  let all = ''
  socket.on('data', (data) => {
    all += data.toString()
  })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(text)
  return { socket, received: () => all }
}

const head = 'POST /slow HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n'

test('callers that never finish sending do not hold the closing up', async () => {
  const stalled = [await open(`${head}{`), await open('GET / HTTP/1.1\r\nHost:'), await open('')]
  const closed = stalled.map(({ socket }) => once(socket, 'close'))
  void drain.begin()
  await app.close()
  await Promise.all(closed)
  expect(stalled.map(({ received }) => received())).toEqual(['', '', ''])
})

test('what has arrived is finished, however long it takes, and its connection closed', async () => {
  const { socket, received } = await open(`${head}{}`)
  const closed = once(socket, 'close')
  await slowRuns
  void drain.begin()
  const closing = app.close()
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(received()).toBe('')
  answerSlow()
  await Promise.all([closed, closing])
  expect(received()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*connection: close\r\n.*done$/is)
})

test('who is still taking an answer gets all of it', async () => {
  const { socket } = await open('')
  let taken = 0
  socket.removeAllListeners('data').on('data', (data) => {
    taken += data.length
  })
  socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
  await expect.poll(() => taken).toBeGreaterThan(0)
  socket.pause()
  const closed = once(socket, 'close')
  await drain.begin(100)
  const closing = app.close()
  await new Promise((resolve) => setTimeout(resolve, 500))
  socket.resume()
  await Promise.all([closed, closing])
  expect(taken).toBeGreaterThan(largeLength)
})

test('a request that is refused before anything asks what it wants ends its connection, too', async () => {
  const { socket, received } = await open('')
  const begun = drain.begin(20_000)
  socket.write('GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n')
  await Promise.all([once(socket, 'close'), begun])
  expect(received()).toMatch(/^HTTP\/1\.1 400 .*connection: close\r\n/is)
})

test('a body that arrives in time is read and answered; a request that only begins then is refused', async () => {
  const [begun, late] = [await open(`${head}{`), await open('GET / HTTP/1.1\r\nHost:')]
  await new Promise((resolve) => setTimeout(resolve, 50))
  const closed = [begun, late].map(({ socket }) => once(socket, 'close'))
  void drain.begin()
  const closing = app.close()
  begun.socket.write('}')
  late.socket.write(' a\r\n\r\n')
  answerSlow()
  await Promise.all([closing, ...closed])
  expect(begun.received()).toMatch(/^HTTP\/1\.1 200 OK/)
  expect(late.received()).toMatch(/^HTTP\/1\.1 503 /)
})

test('an idle connection is told when it asks once more, and so is who connects; then nobody gets in', async () => {
  const text = 'GET /quick HTTP/1.1\r\nHost: a\r\n\r\n'
  const { socket, received } = await open(text)
  await expect.poll(received).toMatch(/^HTTP\/1\.1 200 OK/)
  const closed = once(socket, 'close')
  const { port } = app.server.address() as AddressInfo
  const begun = drain.begin(20_000)
  const late = await open(text)
  await once(late.socket, 'close')
  expect(late.received()).toMatch(/^HTTP\/1\.1 503 .*connection: close\r\n/is)
  socket.write(text)
  // Nobody is connected any more: there is nothing to wait for.
  await Promise.all([closed, begun])
  expect(received()).toMatch(/HTTP\/1\.1 503 .*connection: close\r\n/is)
  const refused = connect(port, '127.0.0.1')
  await expect(once(refused, 'connect')).rejects.toThrow('ECONNREFUSED')
})

test('who connects for each request is told, too, though nobody is connected in between', async () => {
  const text = 'GET /quick HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  const begun = drain.begin(20_000)
  for (let request = 0; request < 3; request++) {
    const { socket, received } = await open(text)
    await once(socket, 'close')
    expect(received()).toMatch(/^HTTP\/1\.1 503 /)
  }
  await begun
})

test('all who have connected by the time that connections are refused are told', async () => {
  const begun = drain.begin(1)
  // By now it pauses; nothing else is done until that is over, and all of them have connected.
  for (let turn = 0; turn < 20; turn++) await undefined
  const pauseIsOver = performance.now() + 300
  while (performance.now() < pauseIsOver);
  const late = Array.from({ length: 20 }, () => open('GET /quick HTTP/1.1\r\nHost: a\r\n\r\n'))
  await Promise.all(late.map(async (each) => once((await each).socket, 'close')))
  await begun
  for (const { received } of await Promise.all(late)) expect(received()).toMatch(/^HTTP\/1\.1 503 /)
})

test('a connection that stays idle is closed in the end', async () => {
  const { socket } = await open('')
  const closed = once(socket, 'close')
  await drain.begin(100)
  await Promise.all([closed, app.close()])
})
