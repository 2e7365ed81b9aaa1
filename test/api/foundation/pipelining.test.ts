import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { afterAnswer, answerInTurn } from '../../../server/kit/rest/answering-in-turn.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must } from '../catalog/catalog-collection.ts'
import { adminOf } from '../catalog/things-to-sell.ts'

const openApi = 'GET /t/acme/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'
const answersIn = (text: string) => text.split('HTTP/1.1 200 ').length - 1

forEachStore((store) => {
  const server = serveTests(store)
  const admin = adminOf(server)

  test('requests sent one behind another are begun when the answer before was taken, and answered in order', async () => {
    await must(server.api('GET', '/openapi.json'))
    const body = JSON.stringify({ scope: 'Product', name: 'Behind' })
    const head = `POST /t/acme/api/v1/provision/admin/tags HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.tokens.acme}`
    const last = `${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const socket = connect({ port: Number(new URL(server.origin).port), host: '127.0.0.1' })
    onTestFinished(() => void socket.destroy())
    socket.pause()
    socket.write(openApi.repeat(40) + last)
    await sleep(1000)
    const isMade = async () => (await must(admin.at('GET', 'tags?filter=name==Behind'))).totalCount
    expect(await isMade()).toBe(0)
    let received = ''
    socket.setEncoding('utf8').on('data', (piece) => {
      received += piece
    })
    socket.resume()
    while (answersIn(received) < 41) await sleep(20)
    expect(received.slice(received.lastIndexOf('HTTP/1.1'))).toContain('"name":"Behind"')
    expect(await isMade()).toBe(1)
  }, 30_000)
})

/** A server of a few routes that lets answers be taken in turn, how to ask it over a bare connection, and what has come back. */
async function openBare() {
  const app = fastify({
    clientErrorHandler: (_error, socket) =>
      afterAnswer(socket, () => void socket.end('HTTP/1.1 400 Bad\r\nConnection: close\r\n\r\n')),
  })
  onTestFinished(() => app.close())
  answerInTurn(app, { lookMillis: 100, stallMillis: 600 })
  const begun: string[] = []
  app.addHook('preHandler', async ({ url }) => void begun.push(url))
  app.get('/large', async () => Buffer.alloc(50_000_000))
  app.get('/slow', async () => sleep(1000).then(() => 'slow'))
  app.get('/small', async () => 'small')
  app.post('/small', async () => 'posted')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const ask = (text: string) => {
    const socket = connect({ port, host: '127.0.0.1' })
    onTestFinished(() => void socket.destroy())
    socket.write(text)
    const answered = { text: '', isEnded: false, socket }
    socket.setEncoding('latin1').on('data', (piece) => {
      answered.text += piece
    })
    socket.on('close', () => {
      answered.isEnded = true
    })
    return answered
  }
  return { app, ask, begun }
}
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

test('of very many requests behind a slow one few are read, and all are answered', async () => {
  const { ask, begun } = await openBare()
  const asked = ask(get('/slow') + get('/small').repeat(3000))
  await sleep(500)
  expect(begun).toEqual(['/slow'])
  while (answersIn(asked.text) < 3001) await sleep(20)
  expect(asked.isEnded).toBe(false)
}, 30_000)

test('what is no request behind another is refused once that is answered; one whose own rest is none at once', async () => {
  const { ask, begun } = await openBare()
  const behind = ask(`${get('/slow')}${get('/small')}garbage\r\n\r\n`)
  const chunked =
    'POST /small HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'
  const own = ask(chunked)
  while (!own.isEnded) await sleep(20)
  expect(own.text).toMatch(/^HTTP\/1\.1 400/)
  expect(behind.text).toBe('')
  while (!behind.isEnded) await sleep(20)
  expect(behind.text).toMatch(/^HTTP\/1\.1 200 [\s\S]*slowHTTP\/1\.1 400/)
  expect(begun).not.toContain('/small')
}, 30_000)

test('whoever takes nothing of an answer is cut off; whoever is slow to be answered is not', async () => {
  const { app, ask } = await openBare()
  const stalled = ask(get('/large')).socket.pause()
  const patient = ask(get('/large') + get('/slow').repeat(2))
  patient.socket.pause()
  await sleep(150)
  patient.socket.resume()
  while (answersIn(patient.text) < 3) await sleep(20)
  const connections = () => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))
  expect(await connections()).toBe(1)
  stalled.destroy()
}, 30_000)
