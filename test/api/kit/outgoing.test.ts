import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openOutgoing } from '../../../server/kit/outgoing/client.ts'
import type { Outgoing, OutgoingRequest, Reply } from '../../../server/kit/outgoing/outgoing.ts'
import { version } from '../../../server/version.ts'
import { answer, listen, type Peer } from './peers.ts'

const quick = { totalMillis: 400, bodyBytes: 65_536 }
const body = Buffer.from('{"Größe":1}')

/** A client that is closed when the test is over. */
function open(...given: Parameters<typeof openOutgoing>): Outgoing {
  const outgoing = openOutgoing(...given)
  onTestFinished(() => outgoing.close())
  return outgoing
}

const post = (outgoing: Outgoing, url: string, more: Partial<OutgoingRequest> = {}) =>
  outgoing.post({ url, headers: { 'content-type': 'text/plain' }, body, ...more })
const at = ({ port }: Peer, path = '/') => `http://127.0.0.1:${port}${path}`

/** The reply, once its connection is free for the next request. */
async function idle(replying: Promise<Reply>): Promise<Reply> {
  const reply = await replying
  await sleep(20)
  return reply
}

/** Why there was no answer; what it says reveals neither address nor port. */
function failureOf(reply: Reply): string {
  if (!('failure' in reply)) throw new Error(`answered with ${reply.status}`)
  expect(reply.failure).not.toMatch(/\d\.\d+\.|::|:\d|localhost|hooks\.example/)
  return reply.failure
}

function answeredBy(reply: Reply) {
  if ('failure' in reply) throw new Error(reply.failure)
  return reply
}

describe('an answer', () => {
  test('comes with status, headers and body, and the request arrives as it was given', async () => {
    const answering = answer(202, 'thanks', { 'x-a': '1', 'retry-after': '5' })
    const peer = await listen((socket) => void setTimeout(() => socket.write(answering), 30))
    const reply = answeredBy(await post(open(true), at(peer, '/hook?a=%20b'), { headers: { 'webhook-id': 'e1' } }))
    expect(reply).toMatchObject({ status: 202, headers: { 'x-a': '1', 'retry-after': '5' }, isCut: false })
    expect(reply.body.toString()).toBe('thanks')
    // A timer may fire a millisecond early.
    expect(reply.millis).toBeGreaterThanOrEqual(29)
    const [head, sent] = peer.heard[0]!.split('\r\n\r\n')
    expect(Buffer.from(sent!, 'latin1')).toEqual(body)
    expect(head!.split('\r\n').sort()).toEqual(
      [
        'POST /hook?a=%20b HTTP/1.1',
        'connection: keep-alive',
        `content-length: ${body.length}`,
        `host: 127.0.0.1:${peer.port}`,
        `user-agent: licet/${version}`,
        'webhook-id: e1',
      ].sort(),
    )
  })

  test('keeps its connection for the next', async () => {
    const peer = await listen((socket) => socket.write(answer(200)))
    const outgoing = open(true)
    for (let count = 0; count < 3; count++) answeredBy(await idle(post(outgoing, at(peer))))
    expect(peer.heard).toHaveLength(1)
  })

  test.each([301, 302, 303, 307, 308])('%i is the answer: it is not followed', async (status) => {
    const inside = await listen((socket) => socket.write(answer(200)))
    const peer = await listen((socket) => socket.write(answer(status, '', { location: at(inside) })))
    expect(await post(open(true), at(peer))).toMatchObject({ status })
    expect([peer.heard.length, inside.heard.length]).toEqual([1, 0])
  })

  test('of a compressed body is left as it is', async () => {
    const bomb = gzipSync(Buffer.alloc(8_000_000)).toString('latin1')
    const peer = await listen((socket) => socket.write(answer(200, bomb, { 'content-encoding': 'gzip' }), 'latin1'))
    const reply = answeredBy(await post(open(true), at(peer)))
    expect(reply.body.toString('latin1')).toBe(bomb)
  })

  test('may come after interim ones, but not after a flood of them', async () => {
    const early = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'
    const kind = await listen((socket) => socket.write(early + early + answer(200, 'at last')))
    expect(answeredBy(await post(open(true), at(kind))).body.toString()).toBe('at last')
    const flooding = await listen((socket) => socket.write(early.repeat(1000)))
    expect(failureOf(await post(open(true), at(flooding)))).toBe('too many interim answers')
  })
})

describe('of an answer that is too much', () => {
  test('64 KiB are read, then the connection is dropped', async () => {
    const whole = await listen((socket) => socket.write(answer(200, 'x'.repeat(65_536))))
    expect(answeredBy(await post(open(true), at(whole)))).toMatchObject({ isCut: false, body: { length: 65_536 } })
    const endless = await listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const timer = setInterval(() => socket.write(`2000\r\n${'x'.repeat(8192)}\r\n`), 1)
      socket.on('close', () => clearInterval(timer))
    })
    expect(answeredBy(await post(open(true), at(endless)))).toMatchObject({ isCut: true, body: { length: 65_536 } })
    await expect.poll(() => endless.sockets[0]!.destroyed).toBe(true)
  })

  test('headers are none', async () => {
    const peer = await listen((socket) => socket.write(answer(200, '', { 'x-long': 'x'.repeat(20_000) })))
    expect(failureOf(await post(open(true), at(peer)))).toBe('the headers of the answer are over the limit of 16 KiB')
  })
})

describe('when the time is over', () => {
  const drip = (text: string, first = '') =>
    listen((socket) => {
      socket.write(first)
      const letters = text[Symbol.iterator]()
      const timer = setInterval(() => socket.write(letters.next().value ?? 'x'), 20)
      socket.on('close', () => clearInterval(timer))
    })

  test.each([
    ['nothing came', () => listen(() => undefined)],
    ['headers drip', () => drip(`HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(1000)}`)],
    ['a body drips', () => drip('', 'HTTP/1.1 200 OK\r\ncontent-length: 10000\r\n\r\n')],
  ])('and %s, that is all, and the connection is dropped', async (_, begin) => {
    const peer = await begin()
    const reply = await post(open(true, { limits: quick }), at(peer))
    expect(failureOf(reply)).toBe('no answer within 0.4 s')
    expect(reply.millis).toBeGreaterThanOrEqual(390)
    expect(reply.millis).toBeLessThan(2000)
    await expect.poll(() => peer.sockets[0]!.destroyed).toBe(true)
  })

  test('before there is a connection, nothing is sent later', async () => {
    const peer = await listen((socket) => socket.write(answer(200)))
    const resolve = () => sleep(600, ['127.0.0.1'])
    const reply = await post(open(true, { limits: quick, resolve }), `http://hooks.example:${peer.port}/`)
    expect(failureOf(reply)).toBe('the connection timed out')
    await sleep(500)
    expect(peer.heard.join('')).toBe('')
  })

  test('somebody slow delays nobody else', async () => {
    const [slow, healthy] = [await listen(() => undefined), await listen((socket) => socket.write(answer(200)))]
    const outgoing = open(true, { limits: quick })
    const waiting = Array.from({ length: 100 }, () => post(outgoing, at(slow)))
    expect(await post(outgoing, at(healthy))).toMatchObject({ status: 200 })
    expect(slow.sockets.length).toBeGreaterThan(0)
    expect(new Set((await Promise.all(waiting)).map(failureOf))).toEqual(new Set(['no answer within 0.4 s']))
    expect(slow.heard).toHaveLength(100)
  })
})

describe('what goes wrong is said in words of our own', () => {
  test.each([
    ['reset before the answer', (socket) => socket.resetAndDestroy(), 'the connection was reset'],
    ['closed before the answer', (socket) => socket.end(), 'the connection was reset'],
    [
      'reset amid the answer',
      (socket) =>
        socket.write(answer(200, 'x'.repeat(10)).slice(0, -5), () => setTimeout(() => socket.resetAndDestroy(), 30)),
      'the connection was reset',
    ],
    [
      'closed amid the answer',
      (socket) => socket.end(answer(200, 'x'.repeat(10)).slice(0, -5)),
      'the connection was reset',
    ],
    ['an SSH banner', (socket) => socket.write('SSH-2.0-OpenSSH_9.9 secret-banner\r\n'), 'what came back is not HTTP'],
    [
      'an interim answer that would have had to be asked for',
      (socket) => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${answer(204)}`),
      'an answer came that was not asked for, such as 100 Continue',
    ],
    [
      'an upgrade',
      (socket) => socket.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      'what came back is not HTTP',
    ],
  ] satisfies [string, Parameters<typeof listen>[0], string][])('%s', async (_, speak, failure) => {
    const peer = await listen(speak)
    expect(failureOf(await post(open(true, { limits: { ...quick, totalMillis: 3000 } }), at(peer)))).toBe(failure)
    expect(peer.heard).toHaveLength(1)
  })

  test('nobody listens, no such name, a name without addresses, no URL at all', async () => {
    expect(failureOf(await post(open(true), 'http://127.0.0.1:1/'))).toBe('the connection was refused')
    for (const resolve of [async () => [], () => Promise.reject(new Error('ENOTFOUND'))])
      expect(failureOf(await post(open(true, { resolve }), 'http://hooks.example/'))).toBe(
        'the name could not be resolved',
      )
    expect(failureOf(await post(open(true), 'nonsense'))).toBe('the URL is malformed')
    expect(failureOf(await post(open(true), 'http://127.0.0.1:1/', { headers: { a: 'b\r\nc: d' } }))).toBe(
      'the connection failed',
    )
  })

  test('a kept connection that closes under a request fails it: it is never sent twice', async () => {
    const peer = await listen((socket, connection) => {
      if (connection === 0 && peer.heard[0]!.split('POST').length > 2) socket.destroy()
      else socket.write(answer(200))
    })
    const outgoing = open(true)
    expect(await idle(post(outgoing, at(peer)))).toMatchObject({ status: 200 })
    expect(failureOf(await post(outgoing, at(peer)))).toBe('the connection was reset')
    expect(peer.heard).toHaveLength(1)
    expect(await post(outgoing, at(peer))).toMatchObject({ status: 200 })
    expect(peer.heard).toHaveLength(2)
  })
})

describe('a request that is called off', () => {
  test('settles at once, before it was sent and while it waits', async () => {
    const peer = await listen(() => undefined)
    const outgoing = open(true)
    expect(failureOf(await post(outgoing, at(peer), { signal: AbortSignal.abort() }))).toBe(
      'the request was called off',
    )
    const calledOff = new AbortController()
    const waiting = post(outgoing, at(peer), { signal: calledOff.signal })
    await expect.poll(() => peer.heard.length).toBe(1)
    calledOff.abort()
    expect(failureOf(await waiting)).toBe('the request was called off')
    await expect.poll(() => peer.sockets[0]!.destroyed).toBe(true)
  })

  test('by closing the client fails, and so does any after that', async () => {
    const peer = await listen(() => undefined)
    const outgoing = open(true)
    const waiting = post(outgoing, at(peer))
    await expect.poll(() => peer.heard.length).toBe(1)
    await outgoing.close()
    expect(failureOf(await waiting)).toBe('the server is going down')
    expect(failureOf(await post(outgoing, at(peer)))).toBe('the server is going down')
    await openOutgoing(true).close()
  })
})

describe('without leave for private addresses, no packet reaches one', () => {
  const listener = () => listen((socket) => socket.write(answer(200)))

  test('by any spelling of its address', async () => {
    const peer = await listener()
    const spellings =
      '127.0.0.1 127.1 0x7f.1 2130706433 017700000001 0177.0.0.1 ①②⑦.⓪.⓪.① 127。0。0。1 user@127.0.0.1 127.0.0.1\\@good.example ' +
      '0.0.0.0 [::1] [::ffff:127.0.0.1] [::7f00:1] [::] 10.0.0.1 169.254.169.254 [64:ff9b::7f00:1] [fe80::1] [fd00::1]'
    const urls = spellings.split(' ').map((host) => {
      const [name, rest] = host.split('\\')
      return `https://${name}:${peer.port}${rest === undefined ? '/' : `\\${rest}`}`
    })
    const outgoing = open(false)
    for (const url of [...urls, `https:127.0.0.1:${peer.port}`, `https:///127.0.0.1:${peer.port}/\n`])
      expect([url, failureOf(await post(outgoing, url))]).toEqual([url, 'the address is not public'])
    expect(peer.sockets).toEqual([])
  })

  test.each([
    ['loopback', ['127.0.0.1']],
    ['loopback of the other family', ['::1']],
    ['public and private', ['1.1.1.1', '127.0.0.1']],
    ['public, and private in the other family', ['1.1.1.1', 'fd00::1']],
    ['mapped', ['::ffff:127.0.0.1']],
    ['metadata', ['169.254.169.254']],
  ])('by a name that leads to what is %s', async (_, addresses) => {
    const peer = await listener()
    const outgoing = open(false, { resolve: async () => addresses })
    expect(failureOf(await post(outgoing, `https://hooks.example:${peer.port}/`))).toBe('the address is not public')
    expect(peer.sockets).toEqual([])
  })

  test('by this machine’s own names', async () => {
    const peer = await listener()
    const outgoing = open(false, { limits: { ...quick, totalMillis: 5000 } })
    for (const host of ['localhost', 'localhost.'])
      expect(failureOf(await post(outgoing, `https://${host}:${peer.port}/`))).toMatch(/not public|not be resolved/)
    expect(peer.sockets).toEqual([])
  })

  test('by a scheme other than https', async () => {
    const peer = await listener()
    for (const scheme of ['http', 'ftp', 'ws', 'wss', 'gopher'])
      expect(failureOf(await post(open(false), `${scheme}://hooks.example:${peer.port}/`))).toBe('only https will do')
    expect(failureOf(await post(open(false), 'data:text/plain,x'))).toBe('only https will do')
    expect(failureOf(await post(open(true), `ws://127.0.0.1:${peer.port}/`))).toBe('only https will do')
    expect(peer.sockets).toEqual([])
  })

  test('the addresses that are looked at are those that are connected to: a name is asked once for each connection', async () => {
    const [first, second] = [await listener(), await listener()]
    const asked: string[] = []
    const resolve = async (name: string) => {
      asked.push(name)
      return asked.length === 1 ? ['127.0.0.1'] : ['127.0.0.2']
    }
    const outgoing = open(true, { resolve })
    for (let count = 0; count < 2; count++)
      expect(await idle(post(outgoing, `http://hooks.example:${first.port}/`))).toMatchObject({ status: 200 })
    expect(asked).toEqual(['hooks.example'])
    expect(failureOf(await post(outgoing, `http://hooks.example:${second.port}/`))).toBe('the connection was refused')
  })
})

describe('proxies of the environment', () => {
  afterEach(() => void vi.unstubAllEnvs())

  test('are never asked', async () => {
    const proxy = await listen((socket) => socket.write(answer(200, 'from the proxy')))
    const peer = await listen((socket) => socket.write(answer(200, 'from the peer')))
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'])
      vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`)
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    expect(answeredBy(await post(open(true), at(peer))).body.toString()).toBe('from the peer')
    const guarded = open(false, { resolve: async () => ['127.0.0.1'] })
    expect(failureOf(await post(guarded, `https://hooks.example:${peer.port}/`))).toBe('the address is not public')
    expect(proxy.sockets).toEqual([])
  })
})
