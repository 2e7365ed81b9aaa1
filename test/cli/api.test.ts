import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureBuilt, freshHome, licet } from '../support/licet-binary.ts'
import { json, problem, type StandIn, standIn } from './tenant-stand-in.ts'

let server: StandIn
const deep = '['.repeat(100_000) + ']'.repeat(100_000)

beforeAll(async () => {
  await ensureBuilt()
  server = await standIn({
    'GET /api/v1/tags': (request, out) => {
      const page = Number(new URL(request.url, 'http://x').searchParams.get('pageNumber'))
      json(out, 200, {
        items: [{ page, filter: new URL(request.url, 'http://x').searchParams.get('filter') }],
        hasNextPage: page < 3,
      })
    },
    'POST /api/v1/echo': (request, out) => json(out, 200, { got: request.body, type: request.headers['content-type'] }),
    'GET /api/v1/raw': (_, out) => out.writeHead(200, { 'content-type': 'application/json' }).end('{"b":1,  "a":1}'),
    'GET /api/v1/deep': (_, out) =>
      out.writeHead(200, { 'content-type': 'application/json' }).end(`{"items":[${deep}],"hasNextPage":false}`),
    'GET /api/v1/deep/refused': (_, out) =>
      out.writeHead(400, { 'content-type': 'application/problem+json' }).end(`{"code":1,"errors":[${deep}]}`),
    'GET /metrics': (_, out) => out.writeHead(200, { 'content-type': 'text/plain' }).end('up 1\n'),
    'DELETE /api/v1/tags/1': (_, out) => out.writeHead(204).end(),
    'GET /api/v1/moved': (_, out) => out.writeHead(307, { location: '/t/acme/api/v1/raw' }).end(),
    'DELETE /api/v1/echo': ({ body, headers }, out) => json(out, 200, { got: body, length: headers['content-length'] }),
    'GET /api/v1/compressed': ({ headers }, out) => {
      const [encoding, compress] =
        headers.accept === 'br' ? (['br', brotliCompressSync] as const) : (['gzip', gzipSync] as const)
      const type = { 'content-type': 'application/json', 'content-encoding': encoding }
      out.writeHead(200, type).end(compress(`{"asked":"${headers['accept-encoding']}","answered":"${encoding}"}`))
    },
    'HEAD /api/v1/compressed': (_, out) => out.writeHead(200, { 'content-encoding': 'gzip' }).end(),
    'DELETE /api/v1/compressed': (_, out) => out.writeHead(204, { 'content-encoding': 'br' }).end(),
    'HEAD /api/v1/tags': (_, out) => out.writeHead(200, { 'content-type': 'application/json' }).end(),
    'HEAD /api/v1/gone': (_, out) =>
      out.writeHead(404, { 'content-type': 'application/problem+json', 'x-correlation-id': 'c-1' }).end(),
    'GET /api/v1/gone': (_, out) => problem(out, 404, 2005, 'license.record_not_found', 'No such tag.'),
  })
})
afterAll(() => server.close())
beforeEach(() => {
  server.seen.length = 0
  server.tokenRequests.length = 0
})

const call = (args: string[], options: Parameters<typeof licet>[1] = {}) =>
  licet(['api', ...args], { env: server.variables, ...options })

describe('licet api', () => {
  test('says of an answer that no document can hold that it is nested too deep, and prints it as it came', async () => {
    const refused = [
      ['deep', '--json'],
      ['deep', '--paginate'],
      ['deep', '--paginate', '--json'],
      ['deep/refused', '--json'],
    ]
    for (const [path, ...more] of refused) {
      const ended = await call(['GET', `/api/v1/${path}`, ...more])
      expect(ended.stdout + ended.stderr, String([path, ...more])).toMatch(/nested too deep[\s\S]*without --json/)
      expect(ended.exitCode).toBe(1)
    }
    const ended = await call(['GET', '/api/v1/deep'])
    expect(ended.stdout).toBe(`{"items":[${deep}],"hasNextPage":false}\n`)
    expect(ended.exitCode).toBe(0)
  })

  test('prints the body as it came, with one token for the run and the headers that say who calls', async () => {
    const ended = await call(['get', 'api/v1/raw'])
    expect(ended.stdout).toBe('{"b":1,  "a":1}\n')
    expect(ended.stderr).toBe('')
    expect(ended.exitCode).toBe(0)
    expect(server.tokenRequests).toHaveLength(1)
    expect(server.tokenRequests[0]?.body).toBe(
      `grant_type=client_credentials&scope=${encodeURIComponent('admin.*:* operational.*:* webhooks.*:*').replaceAll('%20', '+').replaceAll('%2A', '*')}`,
    )
    expect(server.seen[0]?.headers).toMatchObject({
      authorization: expect.stringMatching(/^Bearer /),
      'user-agent': expect.stringMatching(/^licet-cli\/\d/),
      'x-correlation-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('asks for the scopes that are named', async () => {
    await call(['GET', '/api/v1/raw', '--scope', 'admin.tags:read', '--scope', 'admin.products:read'])
    expect(new URLSearchParams(server.tokenRequests[0]?.body).get('scope')).toBe('admin.tags:read admin.products:read')
  })

  test('sends data as it stands, from a file, and from stdin', async () => {
    const home = freshHome()
    writeFileSync(join(home.directory, 'body.json'), '{"from":"file"}')
    const bodies = [
      await call(['POST', '/api/v1/echo', '--data', '{"a":1}', '--json']),
      await call(['POST', '/api/v1/echo', '--data', '@body.json', '--json'], { home }),
      await call(['POST', '/api/v1/echo', '--data', '-', '--json'], { input: '{"from":"stdin"}' }),
      await call(['POST', '/api/v1/echo', '--data', '@-', '--json'], { input: '{"from":"stdin"}' }),
    ]
    expect(bodies.map((ended) => ended.json().got)).toEqual([
      '{"a":1}',
      '{"from":"file"}',
      '{"from":"stdin"}',
      '{"from":"stdin"}',
    ])
    expect(bodies[0]?.json().type).toBe('application/json')
  })

  test('waits for a slow pipe', async () => {
    const home = freshHome()
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../bin/licet.js'), 'api', 'POST', '/api/v1/echo', '--data', '-', '--json'],
      {
        env: { ...home.variables, ...server.variables },
      },
    )
    let out = ''
    child.stdout.on('data', (part) => {
      out += part
    })
    for (const part of ['{"slow"', ':', 'true}']) {
      await new Promise((later) => setTimeout(later, 250))
      child.stdin.write(part)
    }
    child.stdin.end()
    expect(await new Promise((ended) => child.on('exit', ended))).toBe(0)
    expect(JSON.parse(out).got).toBe('{"slow":true}')
  })

  test('a file that is not there is a problem, not a crash', async () => {
    const ended = await call(['POST', '/api/v1/echo', '--data', '@missing.json'])
    expect(ended.stderr).toMatch(/Cannot read missing\.json: no such file/)
    expect(ended.exitCode).toBe(1)
    expect(server.seen).toEqual([])
  })

  test('sends headers, but none that carries credentials or framing', async () => {
    await call(['GET', '/api/v1/raw', '--header', 'If-Match: "3"', '-H', 'X-A: b'])
    expect(server.seen[0]?.headers).toMatchObject({ 'if-match': '"3"', 'x-a': 'b' })
    for (const header of ['Authorization: Bearer x', 'host: evil', 'upgrade: h2c', 'no-colon', 'a: b\r\nc: d']) {
      expect((await call(['GET', '/api/v1/raw', '--header', header])).exitCode).toBe(64)
    }
  })

  test('--include shows status and headers, also as a document', async () => {
    expect((await call(['GET', '/api/v1/raw', '--include'])).stdout).toMatch(
      /^HTTP 200 OK\n[\s\S]*content-type: application\/json\n[\s\S]*\n\n\{"b"/,
    )
    expect((await call(['GET', '/api/v1/raw', '-i', '--json'])).json()).toMatchObject({
      status: 200,
      body: { b: 1, a: 1 },
    })
  })

  test('--paginate puts every page into one array and keeps the filter', async () => {
    const ended = await call(['GET', '/api/v1/tags?filter=name@=x', '--paginate', '--json'])
    expect(ended.json()).toEqual([1, 2, 3].map((page) => ({ page, filter: 'name@=x' })))
  })

  test('--paginate keeps a query that has a question mark in it', async () => {
    const ended = await call(['GET', '/api/v1/tags?filter=name@=what?&sortOrder=name', '--paginate', '--json'])
    expect(ended.json()).toEqual([1, 2, 3].map((page) => ({ page, filter: 'name@=what?' })))
  })

  test('an empty answer prints nothing, and null with --json', async () => {
    expect((await call(['DELETE', '/api/v1/tags/1'])).stdout).toBe('')
    expect((await call(['DELETE', '/api/v1/tags/1', '--json'])).stdout).toBe('null\n')
  })

  test('text that is not JSON is printed as it is, and is a string with --json', async () => {
    expect((await call(['GET', '/metrics'])).stdout).toBe('up 1\n')
    expect((await call(['GET', '/metrics', '--json'])).json()).toBe('up 1\n')
  })

  test('a refusal prints the body on stdout and its meaning on stderr', async () => {
    const ended = await call(['GET', '/api/v1/gone'])
    expect(JSON.parse(ended.stdout)).toMatchObject({ code: 2005 })
    expect(ended.stderr).toMatch(/Error: No such tag/)
    expect(ended.exitCode).toBe(1)
  })

  test('an answer that somebody between has compressed is read', async () => {
    const asked = 'gzip, br'
    for (const answered of ['gzip', 'br']) {
      const ended = await call(['GET', '/api/v1/compressed', '--header', `Accept: ${answered}`, '--json'])
      expect(ended.json()).toEqual({ asked, answered })
    }
  })

  test.each(['HEAD', 'DELETE'])(
    'an answer to %s without a body is one, although it says how that is compressed',
    async (method) => {
      const ended = await call([method, '/api/v1/compressed', '--json'])
      expect(ended.json()).toBeNull()
      expect(ended.exitCode).toBe(0)
    },
  )

  test('HEAD of JSON is answered without a body, and refused by the status alone', async () => {
    const ended = await call(['HEAD', '/api/v1/tags', '--include', '--json'])
    expect(ended.json()).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' }, body: null })
    expect((await call(['HEAD', '/api/v1/tags'])).exitCode).toBe(0)
    const refused = await call(['HEAD', '/api/v1/gone', '--json'])
    expect(refused.exitCode).toBe(1)
    expect(refused.json().error).toMatchObject({ codeName: 'http.404', status: 404, correlationId: 'c-1' })
    expect(refused.json().error.message).toMatch(/ answered 404 Not Found$/)
  })

  test('a DELETE has a body when it is given one', async () => {
    const ended = await call(['DELETE', '/api/v1/echo', '--data', '{"ä":1}', '--json'])
    expect(ended.json()).toEqual({ got: '{"ä":1}', length: '8' })
  })

  test('a redirect within the server is followed', async () => {
    expect((await call(['GET', '/api/v1/moved'])).stdout).toContain('"b":1')
  })

  test.each(['../other/api/v1/raw', '/../../t/other/x', '//evil.example/x', '%2e%2e/other/x'])(
    'the path %s cannot leave the tenant',
    async (path) => {
      const ended = await call(['GET', path])
      expect(ended.exitCode).toBe(64)
      expect(server.seen).toEqual([])
    },
  )
})
