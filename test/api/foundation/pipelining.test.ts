import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { answerInTurn } from '../../../server/kit/rest/answering-in-turn.ts'
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

test('whoever takes nothing of an answer is cut off; whoever is slow to be answered is not', async () => {
  const app = fastify()
  onTestFinished(() => app.close())
  answerInTurn(app, { lookMillis: 100, stallMillis: 200 })
  app.get('/large', async () => Buffer.alloc(50_000_000))
  app.get('/slow', async () => sleep(1000).then(() => 'slow'))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const ask = (text: string) => {
    const socket = connect({ port, host: '127.0.0.1' })
    onTestFinished(() => void socket.destroy())
    socket.write(text)
    return socket
  }
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
  const stalled = ask(get('/large')).pause()
  let received = ''
  const patient = ask(get('/slow').repeat(2)).setEncoding('utf8')
  patient.on('data', (piece) => {
    received += piece
  })
  while (answersIn(received) < 2) await sleep(20)
  const connections = () => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))
  expect(await connections()).toBe(1)
  stalled.destroy()
}, 30_000)
