import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'

const admin = '/api/v1/provision/admin'

interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: Record<string, unknown>
}

/** Sends bytes as they are on a connection of its own, and reads what comes back until it is closed or quiet. */
function exchange(origin: string, text: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.setTimeout(400, () => socket.destroy())
    socket.on('connect', () => socket.write(Buffer.from(text, 'latin1')))
    socket.on('data', (data) => {
      received += data.toString('utf8')
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', body = ''] = received.split('\r\n\r\n')
      const [status = '', ...lines] = head.split('\r\n')
      const headers = lines.map((line) => /^([^:]+): (.*)$/.exec(line)!)
      resolve({
        status: Number(status.split(' ')[1]),
        headers: Object.fromEntries(headers.map(([, name, value]) => [name!.toLowerCase(), value!])),
        body: body === '' ? {} : JSON.parse(body),
      })
    })
  })
}

forEachStore((store) => {
  const server = serveTests(store)

  describe('what is not sound HTTP is a problem with a correlation id', () => {
    const scopes = 'GET /t/acme/api/v1/scopes HTTP/1.1\r\n'
    test.each([
      ['garbage', '\x16\x03\x01\r\n\r\n', 400, 'request.malformed'],
      ['HTTP/0.9', 'GET /healthz\r\n\r\n', 400, 'request.malformed'],
      ['another version', 'GET /healthz HTTP/9.9\r\nHost: a\r\n\r\n', 400, 'request.malformed'],
      ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'request.malformed'],
      ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'request.malformed'],
      ['a Host that is none', 'GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n', 400, 'request.malformed'],
      ['a folded header', 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n', 400, 'request.malformed'],
      [
        'two lengths',
        'POST /t/acme/auth/connect/token HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
        400,
        'request.malformed',
      ],
      ['a path that is not UTF-8', 'GET /t/acme/%zz HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'request.malformed'],
      [
        'a long segment',
        `GET /t/acme/api/v1/provision/admin/tags/${'a'.repeat(3000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
        414,
        'request.uri_too_long',
      ],
      ['long headers', `${scopes}Host: a\r\nX: ${'a'.repeat(300_000)}\r\n\r\n`, 431, 'request.headers_too_large'],
      ['a tunnel', 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n', 405, 'request.method_not_allowed'],
      ['an expectation', `${scopes}Host: a\r\nExpect: wonders\r\n\r\n`, 417, 'request.expectation_failed'],
    ])('%s', async (_what, text, status, codeName) => {
      const answer = await exchange(server.origin, text)
      expect(answer).toMatchObject({
        status,
        headers: { 'content-type': 'application/problem+json; charset=utf-8', 'x-content-type-options': 'nosniff' },
        body: { status, codeName, type: `${server.origin}/docs/problems/${codeName}` },
      })
      expect(answer.headers['x-correlation-id']).toMatch(/^[\w-]{36}$/)
    })
  })

  test.each(['9007199254740993', '0.1000000000000000055511151231257827', '1e-400'])(
    'a number is no text, though a double would round it: %s',
    async (number) => {
      const answer = await server.api('POST', `${admin}/tags`, { body: `{"scope":"Product","name":${number}}` })
      expect(answer.body).toMatchObject({
        status: 400,
        errors: [{ pointer: '/name', message: expect.stringMatching(/^must be text.*, not a number$/) }],
      })
      const asked = { body: `{"productCode":"ROUNDED","name":"n","isLocked":${number}}` }
      expect((await server.api('POST', `${admin}/products`, asked)).body.errors).toMatchObject([
        { pointer: '/isLocked', message: expect.stringMatching(/not a number$/) },
      ])
    },
  )

  test('a tunnel asked for behind a request is refused once that is answered', async () => {
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1')
    socket.write('GET /t/acme/openapi.json HTTP/1.1\r\nHost: a\r\n\r\nCONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n')
    let received = ''
    socket.setEncoding('utf8').on('data', (piece) => {
      received += piece
    })
    await once(socket, 'close')
    expect(received.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 405'])
  })

  test('what comes behind a refused expectation is not answered', async () => {
    const answer = await exchange(server.origin, 'GET /x HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n'.repeat(50))
    expect(answer).toMatchObject({ status: 417, headers: { connection: 'close' } })
  })

  test('a caller that resets its tunnel ends nothing but itself', async () => {
    const { hostname, port } = new URL(server.origin)
    const resets = Array.from({ length: 30 }, async (_none, at) => {
      const socket = connect({ host: hostname, port: Number(port) })
      await once(socket, 'connect')
      socket.write('CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n')
      if (at % 2 === 0) await new Promise(setImmediate)
      socket.resetAndDestroy()
    })
    await Promise.all(resets)
    const answer = await exchange(server.origin, 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n')
    expect(answer.headers.allow).toContain('GET')
  })

  const named = 'Host: a\r\nX-Correlation-Id: order-7\r\n'
  test.each([
    ['the path cannot be read', `GET /%zz HTTP/1.1\r\n${named}\r\n`, 400, '/%zz'],
    ['what is expected is not known', `POST /t/acme/x?y HTTP/1.1\r\n${named}Expect: tea\r\n\r\n`, 417, '/t/acme/x'],
    ['the target names an origin, too', `POST http://b/x HTTP/1.1\r\n${named}Expect: tea\r\n\r\n`, 417, '/x'],
    [
      'the body is broken',
      `POST /t/acme/api/v1/provision/activations/license HTTP/1.1\r\n${named}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
      '/t/acme/api/v1/provision/activations/license',
    ],
    ['a tunnel is asked for', `CONNECT x:1 HTTP/1.1\r\n${named}\r\n`, 405, '/'],
  ])('a correlation id is echoed even when %s', async (_when, text, status, instance) => {
    const answer = await exchange(server.origin, text)
    expect(answer.headers['x-correlation-id']).toBe('order-7')
    expect(answer).toMatchObject({ status, body: { status, instance } })
  })

  test('a correlation id of up to 200 printable characters is echoed, in place of any other one is made', async () => {
    const echoed = async (id: string) =>
      (await fetch(`${server.origin}/healthz`, { headers: { 'x-correlation-id': id } })).headers.get('x-correlation-id')
    for (const id of ['order 7 of May', 'x'.repeat(200)]) expect(await echoed(id)).toBe(id)
    for (const id of ['', 'x'.repeat(201), 'caf\u00e9']) expect(await echoed(id)).toMatch(/^[\w-]{36}$/)
  })

  test('a target that names the origin is the same path (RFC 9112 §3.2.2)', async () => {
    for (const path of ['/t/acme/api/v1/nothing', '/t/acme/api/v1/provision/admin/keys', '/healthz']) {
      const ask = (target: string) =>
        exchange(server.origin, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      const [direct, absolute] = [await ask(path), await ask(`${server.origin}${path}`)]
      expect(absolute.status).toBe(direct.status)
      expect(absolute.body.codeName).toEqual(direct.body.codeName)
    }
  })

  test('a path that names nothing where an id stands is no path', async () => {
    for (const [method, path] of [
      ['GET', 'tags/'],
      ['DELETE', 'tags/'],
      ['POST', 'tags/'],
      ['POST', 'tags//merge'],
      ['GET', 'entitlements//activation-codes/'],
    ] as const) {
      const { status, body } = await server.api(method, `${admin}/${path}`, {
        body: method === 'POST' ? {} : undefined,
      })
      expect([path, status, body.codeName]).toEqual([path, 404, 'request.route_not_found'])
    }
    const blank = await server.api('GET', `${admin}/tags/%20`)
    expect(blank.body.codeName).toBe('license.record_not_found')
  })

  test.each(['GET', 'PUT', 'OPTIONS'])(
    'a tenant that there is not has no path, whatever is asked of it (%s)',
    async (method) => {
      for (const path of [`${admin}/products`, '/auth/connect/token', '/openapi.json']) {
        const answer = await fetch(`${server.origin}/t/nobodys${path}`, { method })
        const { code } = (await answer.json()) as { code: number }
        expect([path, answer.status, code, answer.headers.get('allow')]).toEqual([path, 404, 1004, null])
      }
    },
  )

  test.each(['GET', 'PUT', 'OPTIONS'])(
    'where no tenant is named there is no path of one (%s), and of the server itself',
    async (method) => {
      const statusOf = async (path: string) => (await fetch(`${server.origin}${path}`, { method })).status
      for (const path of [`${admin}/products`, '/openapi.json', '/t/acme/healthz'])
        expect([path, await statusOf(path)]).toEqual([path, 404])
      expect(await statusOf('/healthz')).toBe({ GET: 200, PUT: 405, OPTIONS: 204 }[method])
    },
  )

  test('an empty page number or size is none', async () => {
    const page = await server.api('GET', `${admin}/tags?filter=&sortOrder=&pageSize=&pageNumber=`)
    expect(page).toMatchObject({ status: 200, body: { pageNumber: 1, pageSize: 25 } })
  })

  test('a field that is answered and not written is called read-only, any other unknown', async () => {
    const { body } = await server.api('POST', `${admin}/products`, { body: { productCode: 'READ-ONLY', name: 'a' } })
    const errorsOf = async (method: string, path: string, given: object) =>
      (await server.api(method, `${admin}/products${path}`, { body: given })).body.errors
    const readOnly = ['id', 'createdAt', 'metrics'].map((name) => ({
      pointer: `/${name}`,
      message: 'is read-only: leave it out',
    }))
    const unknown = { pointer: '/nmae', message: 'there is no field "nmae" here' }
    const { id, createdAt, metrics } = body
    for (const [method, path] of [
      ['PATCH', `/${id}`],
      ['POST', ''],
    ] as const) {
      const given = { productCode: 'OTHER', name: 'b', id, createdAt, metrics, nmae: 1 }
      expect(await errorsOf(method, path, given)).toEqual([...readOnly, unknown])
    }
  })

  test('what takes no body takes no empty list for one, either', async () => {
    const body = { name: 'bodiless', scope: 'Product' }
    const { id } = (await server.api('POST', '/api/v1/provision/admin/tags', { body })).body
    const path = `/api/v1/provision/admin/tags/${id}`
    for (const stray of [[], [1], 'null', '"x"']) {
      const refused = await server.api('DELETE', path, { body: stray })
      expect([stray, refused.status, refused.body.codeName]).toEqual([stray, 400, 'license.validation_error'])
    }
    expect((await server.api('DELETE', path, { body: {} })).status).toBe(204)
  })

  test('two Idempotency-Keys are refused', async () => {
    const body = '{"name":"two keys","scope":"Product"}'
    const answer = await exchange(
      server.origin,
      `POST /t/acme/api/v1/provision/admin/tags HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.tokens.acme}\r\nContent-Type: application/json\r\nIdempotency-Key: one\r\nIdempotency-Key: two\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: 'Idempotency-Key' }] } })
  })

  test('a caller that is still sending is told that its body is too large', async () => {
    for (const size of [5_000_000, 20_000_000]) {
      const body = new Uint8Array(size)
      for (const sent of [body, new Blob([body]).stream()]) {
        const answer = await fetch(`${server.baseUrl()}/api/v1/provision/admin/tags`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${server.tokens.acme}` },
          body: sent,
          duplex: 'half',
        } as RequestInit)
        expect([answer.status, await answer.json()]).toMatchObject([413, { codeName: 'request.too_large' }])
      }
    }
  })

  test('the token endpoint tells its own limit', async () => {
    const answer = await server.api('POST', '/auth/connect/token', {
      token: null,
      body: `a=${'a'.repeat(300_000)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([answer.status, answer.body.error_description]).toEqual([413, 'The body is over the limit of 16 KiB.'])
  })
})
