import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { licet } from '../support/licet-binary.ts'
import { json, problem, type Seen, type StandIn, standIn, standInSecret } from './tenant-stand-in.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function start(routes: Parameters<typeof standIn>[0]): Promise<StandIn> {
  const server = await standIn(routes)
  closers.push(() => server.close())
  return server
}

type Answer = (request: Seen, response: ServerResponse) => void
const page = '<!doctype html><title>Sign in</title><script>var x</script><h1>Please sign in</h1>'

describe('every refusal and every broken answer is one problem', () => {
  const cases: [string, Answer, Record<string, unknown>, RegExp][] = [
    [
      '401',
      (_, out) => problem(out, 401, 1101, 'auth.unauthenticated', 'The token has expired.'),
      { code: 1101, status: 401 },
      /token has expired[\s\S]*licet env check/,
    ],
    [
      '403, naming the scope',
      (_, out) => problem(out, 403, 1103, 'auth.insufficient_scope', 'admin.tags:read is missing.'),
      { code: 1103, status: 403 },
      /admin\.tags:read[\s\S]*client create/,
    ],
    [
      '404',
      (_, out) => problem(out, 404, 2005, 'license.record_not_found', 'No such tag.'),
      { code: 2005 },
      /No such tag[\s\S]*environment/,
    ],
    [
      '409, for the sake of something else',
      (_, out) => problem(out, 409, 3002, 'catalog.in_use', 'Used by Pro.'),
      { code: 3002 },
      /Used by Pro[\s\S]*stands in the way/,
    ],
    [
      '409, where nothing stands in the way',
      (_, out) => problem(out, 409, 3003, 'catalog.invalid_transition', 'It is Cancelled.'),
      { code: 3003, hint: null },
      /It is Cancelled\.\n(?![\s\S]*stands in the way)/,
    ],
    [
      '412',
      (_, out) => problem(out, 412, 1007, 'request.precondition_failed', 'Revision 4.'),
      { code: 1007 },
      /read it again/,
    ],
    [
      '429',
      (_, out) => problem(out, 429, 1008, 'request.rate_limited', 'Too many.'),
      { code: 1008, retryAfterSeconds: 7 },
      /in 7 s/,
    ],
    [
      '409, which the log would say no more of',
      (_, out) => problem(out, 409, 3001, 'catalog.duplicate_key', 'There is one already.'),
      { code: 3001, status: 409 },
      /There is one already\.(?![\s\S]*the server's log)/,
    ],
    [
      '500 without a correlation id',
      (_, out) => json(out, 500, { title: 'An error.', status: 500 }),
      { status: 500 },
      /Try: look into the server's log/,
    ],
    [
      '500',
      (_, out) => problem(out, 500, 9000, 'server.internal', 'An error.'),
      { code: 9000, correlationId: 'corr-1' },
      /correlation id corr-1/,
    ],
    [
      '400, with its list of errors',
      (_, out) =>
        problem(out, 400, 2000, 'license.validation_error', 'Not acceptable.', {
          errors: [{ pointer: '/name', message: 'is required' }],
        }),
      { code: 2000, errors: [{ pointer: '/name', message: 'is required' }] },
      /\/name: is required/,
    ],
    ...[
      { pointer: '/until', message: 'must be in the future' },
      { pointer: '', message: 'must be an object' },
    ].map((error): (typeof cases)[number] => [
      `400, whose one error at "${error.pointer}" is told once`,
      (_, out) =>
        problem(out, 400, 2000, 'license.validation_error', `${error.pointer || 'The body'}: ${error.message}`, {
          errors: [error],
        }),
      { errors: [error] },
      new RegExp(`^Error: [^\\n]*: ${error.message}\\n(?![\\s\\S]*${error.message})`),
    ]),
    [
      '400, with a list of several errors whose first its message tells',
      (_, out) =>
        problem(out, 400, 2000, 'license.validation_error', '/a: is wrong (and 1 more)', {
          errors: [
            { pointer: '/a', message: 'is wrong' },
            { pointer: '/b', message: 'is wrong' },
          ],
        }),
      { code: 2000 },
      /^Error: \/a: is wrong \(and 1 more\)\n {2}\/a: is wrong\n {2}\/b: is wrong\n/,
    ],
    [
      'a web page with 502',
      (_, out) => out.writeHead(502, { 'content-type': 'text/html' }).end(page),
      { status: 502, codeName: 'http.502' },
      /web page[\s\S]*Please sign in/,
    ],
    [
      'a redirect to another host',
      (_, out) => out.writeHead(302, { location: 'https://login.example/' }).end(),
      { codeName: 'cli.unreadable_answer' },
      /redirect \(302\) to https:\/\/login\.example/,
    ],
    [
      'a redirect that never ends',
      (_, out) => out.writeHead(302, { location: '/t/acme/again' }).end(),
      { codeName: 'cli.unreadable_answer' },
      /redirect/,
    ],
    [
      'an answer cut off',
      (_, out) => {
        out.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
        out.write('{"a":')
        setTimeout(() => out.destroy(), 20)
      },
      { codeName: 'cli.unreachable' },
      /closed the connection/,
    ],
    [
      'an answer that goes on in another protocol',
      (_, out) =>
        void out.socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      { codeName: 'cli.unreachable' },
      /closed the connection/,
    ],
    [
      'an answer said to be compressed that is not',
      (_, out) => out.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('{"a":1}'),
      { codeName: 'cli.unreachable' },
      /cannot be decompressed \(Z_DATA_ERROR\)/,
    ],
    [
      'a problem with an escape sequence',
      (_, out) => problem(out, 409, 3002, 'catalog.in_use', 'Used by \u001b]0;owned\u0007.'),
      { code: 3002 },
      /\\x1b\]0;owned\\x07/,
    ],
  ]

  test.each(cases)('%s', async (_name, answer, expected, message) => {
    const server = await start({ '*': answer })
    const human = await licet(['api', 'GET', '/api/v1/x'], { env: server.variables })
    expect(human.stderr).toMatch(message)
    expect(human.stderr).not.toContain('\u001b')
    expect(human.exitCode).toBe(1)
    const machine = await licet(['api', 'GET', '/api/v1/x', '--json'], { env: server.variables })
    expect(machine.json().error).toMatchObject(expected)
    expect(machine.exitCode).toBe(1)
    expect(human.stdout + human.stderr + machine.stdout + machine.stderr).not.toContain(standInSecret)
  })

  const unreadable: [string, Answer, RegExp][] = [
    [
      'a web page with 200',
      (_, out) => out.writeHead(200, { 'content-type': 'text/html' }).end(page),
      /web page instead of JSON/,
    ],
    [
      'JSON cut short',
      (_, out) => out.writeHead(200, { 'content-type': 'application/json' }).end('{"items":['),
      /cut short or broken/,
    ],
    [
      'another type',
      (_, out) => out.writeHead(200, { 'content-type': 'image/png' }).end('x'),
      /image\/png instead of JSON/,
    ],
  ]
  test.each(unreadable)('%s, where JSON must be', async (_name, answer, message) => {
    const server = await start({ '*': answer })
    const ended = await licet(['api', 'GET', '/api/v1/x', '--paginate', '--json'], { env: server.variables })
    expect(ended.json().error).toMatchObject({
      codeName: 'cli.unreadable_answer',
      message: expect.stringMatching(message),
    })
    expect(ended.exitCode).toBe(1)
  })
})

describe('an answer to a change that cannot be read', () => {
  const damaged: [string, Answer][] = [
    [
      'JSON cut short',
      (_, out) => out.writeHead(200, { 'content-type': 'application/json' }).end('{"result":{"data":'),
    ],
    ['a web page with 200', (_, out) => out.writeHead(200, { 'content-type': 'text/html' }).end(page)],
    ['another type', (_, out) => out.writeHead(200, { 'content-type': 'image/png' }).end('x')],
    ['JSON of a foreign shape', (_, out) => json(out, 200, { ok: true })],
    [
      'what cannot be decompressed',
      (_, out) => out.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('{"a":1}'),
    ],
    ['a web page with 502', (_, out) => out.writeHead(502, { 'content-type': 'text/html' }).end(page)],
    ['a web page with 504', (_, out) => out.writeHead(504, { 'content-type': 'text/html' }).end(page)],
    ['JSON with 502 that is no problem of licet', (_, out) => json(out, 502, { message: 'Bad gateway' })],
    ['a broken problem with 500', (_, out) => out.writeHead(500, { 'content-type': 'application/json' }).end('{"co')],
  ]
  const perhaps = /^ {2}Try: it may have been done all the same: look first/m

  test.each(damaged)(
    '%s says that it may have been done, and of one that only asks it does not',
    async (_name, answer) => {
      const server = await start({ '*': answer })
      const [ended, asked] = await Promise.all([
        licet(['entitlement', 'suspend', '018f0000-0000-7000-8000-000000000002'], { env: server.variables }),
        licet(['catalog', 'diff', '-'], { env: server.variables, input: 'products: [{ productCode: A }]' }),
      ])
      expect(ended.stderr).toMatch(perhaps)
      expect(ended.exitCode).toBe(1)
      expect(asked.stderr).toMatch(/^Error: .*\n {2}Try: /m)
      expect(asked.stderr).not.toContain('may have been done')
    },
  )

  test.each<[string, Answer]>([
    ['a web page with 403', (_, out) => out.writeHead(403, { 'content-type': 'text/html' }).end(page)],
    ['a broken problem with 409', (_, out) => out.writeHead(409, { 'content-type': 'application/json' }).end('{"co')],
    ['a 500 of licet', (_, out) => problem(out, 500, 9000, 'server.internal', 'An error.')],
  ])('%s was a refusal: nothing was done', async (_name, answer) => {
    const server = await start({ '*': answer })
    const ended = await licet(['api', 'POST', '/api/v1/provision/admin/tags', '--data', '{}'], {
      env: server.variables,
    })
    expect(ended.exitCode).toBe(1)
    expect(ended.stderr).not.toContain('may have been done')
  })

  test('a connection cut after a comparison, which changed nothing, is only to be tried again', async () => {
    const server = await start({ 'POST /trpc/admin.catalog.compare': (_, out) => out.destroy() })
    const ended = await licet(['catalog', 'diff', '-'], {
      env: server.variables,
      input: 'products: [{ productCode: A }]',
    })
    expect(ended.stderr).toMatch(/closed the connection[^\n]*\n {2}Try: try again/)
  })
})

describe('when there is no answer at all', () => {
  const credentials = { LICET_CLIENT_ID: 'c', LICET_CLIENT_SECRET: standInSecret }

  async function rawServer(onData: string | null): Promise<string> {
    const server: Server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => (onData === null ? socket.destroy() : socket.end(onData)))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    closers.push(() => new Promise((closed) => server.close(closed)))
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async function closedPort(): Promise<string> {
    const address = await rawServer(null)
    await closers.pop()?.()
    return address
  }

  test.each([
    ['nothing listens', async () => `http://${await closedPort()}`, /Nothing listens at 127\.0\.0\.1:\d+/],
    ['the host does not exist', async () => 'http://no-such-host.invalid', /There is no host no-such-host\.invalid/],
    ['the server hangs up', async () => `http://${await rawServer(null)}`, /closed the connection/],
    ['the server does not speak HTTP', async () => `http://${await rawServer('SSH-2.0-OpenSSH\r\n')}`, /is not HTTP/],
    [
      'the server does not speak TLS',
      async () => `https://${await rawServer('HTTP/1.1 400 Bad Request\r\n\r\n')}`,
      /No TLS connection[\s\S]*http rather than https/,
    ],
  ])('%s', async (_name, origin, message) => {
    const env = { ...credentials, LICET_URL: `${await origin()}/t/acme` }
    for (const args of [
      ['env', 'check'],
      ['api', 'GET', '/x'],
    ]) {
      const ended = await licet(args, { env })
      expect(ended.stderr).toMatch(message)
      expect(ended.exitCode).toBe(1)
      const machine = await licet([...args, '--json'], { env })
      expect(machine.json().error).toMatchObject({ code: 8008, codeName: 'cli.unreachable' })
    }
  })
})

test('no request goes over a connection that the server has closed after the one before', async () => {
  const connections = new Set<unknown>()
  const server = await start({
    'POST /auth/connect/token': (_, out) => {
      connections.add(out.socket)
      const body = JSON.stringify({ access_token: 'a.b.c', token_type: 'Bearer', expires_in: 900, scope: '' })
      const head = ['HTTP/1.1 200 OK', 'content-type: application/json', `content-length: ${body.length}`]
      out.socket?.end([...head, 'connection: keep-alive', '', body].join('\r\n'))
    },
    'GET /x': (_, out) => {
      if (connections.has(out.socket)) out.destroy()
      else json(out, 200, { name: 'x' })
    },
  })
  const ended = await licet(['api', 'GET', '/x', '--json'], { env: server.variables })
  expect(ended.json()).toEqual({ name: 'x' })
})

describe('the token endpoint', () => {
  test('a wrong secret is told from everything else, and never repeated', async () => {
    const server = await start({})
    const ended = await licet(['api', 'GET', '/x'], {
      env: { ...server.variables, LICET_CLIENT_SECRET: 'wrong-canary' },
    })
    expect(ended.stderr).toMatch(/does not accept client cli ent:1/)
    expect(ended.stderr).not.toContain('wrong-canary')
    expect(ended.exitCode).toBe(1)
    expect(server.seen).toEqual([])
  })

  test('a client without the scopes is told which were asked for', async () => {
    const server = await start({ 'POST /auth/connect/token': (_, out) => json(out, 400, { error: 'invalid_scope' }) })
    const ended = await licet(['api', 'GET', '/x', '--scope', 'admin.tags:read'], { env: server.variables })
    expect(ended.stderr).toMatch(/none of the scopes asked for: admin\.tags:read/)
  })

  test('a page instead of a token says what the URL may be', async () => {
    const server = await start({
      'POST /auth/connect/token': (_, out) => out.writeHead(200, { 'content-type': 'text/html' }).end(page),
    })
    const ended = await licet(['env', 'check'], { env: server.variables })
    expect(ended.stderr).toMatch(/web page instead of JSON[\s\S]*\/t\/SLUG/)
    expect(ended.exitCode).toBe(1)
  })
})
