import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import SqliteConnection from 'better-sqlite3'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { freshHome, licet } from '../support/licet-binary.ts'
import { type Serving, serve, testMasterKey } from '../support/served-environments.ts'

const binary = join(import.meta.dirname, '../../bin/licet.js')

/** A request that the server waits for the body of: the rest is sent by `finish`, which answers all that came back. */
async function halfRequest({ url }: Serving) {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const body = 'grant_type=client_credentials&client_id=x&client_secret=y'
  const head = ['POST /t/acme/auth/connect/token HTTP/1.1', `host: ${hostname}`, `content-length: ${body.length}`]
  head.push('content-type: application/x-www-form-urlencoded', 'expect: 100-continue', '', body.slice(0, 10))
  socket.write(head.join('\r\n'))
  const [goOn] = await once(socket, 'data')
  expect(String(goOn)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  return {
    async finish() {
      let answer = ''
      socket.on('data', (part) => {
        answer += part
      })
      socket.write(body.slice(10))
      await once(socket, 'close')
      return answer
    },
    drop: () => socket.destroy(),
  }
}

/** Waits until the server takes nothing new: the signal has reached it. */
async function refusesNew({ url }: Serving) {
  const ask = () =>
    fetch(`${url}/healthz`).then(
      ({ status }) => (status === 503 ? 'refused' : 'answered'),
      () => 'refused',
    )
  await expect.poll(ask, { timeout: 10_000 }).toBe('refused')
}

async function serveAcme() {
  const home = freshHome()
  await licet(['tenant', 'create', 'acme'], { home })
  return { home, server: await serve(home) }
}

describe('licet serve', () => {
  test('says where it listens in its first line, logs to stderr, and ends well on SIGTERM', async () => {
    const { server } = await serveAcme()
    expect(server.firstLine).toMatch(/^\{"event":"listening","url":"http:\/\/127\.0\.0\.1:\d+"\}\n$/)
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ status: 'alive' })
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: 'ready' })
    server.signal('SIGTERM')
    const { exitCode, stdout, stderr } = await server.ended
    expect(exitCode).toBe(0)
    expect(`${stdout}\n`).toBe(server.firstLine)
    const lines = stderr.split('\n').filter(Boolean)
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 30 })
  })

  test('an error that nobody caught ends it, with its stack in the log', async () => {
    const home = freshHome()
    const broken = `process.on('SIGUSR2',function broken(){throw new RangeError('boom-canary')})`
    const server = await serve(home, { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(broken)}` })
    server.signal('SIGUSR2')
    const { exitCode, stderr } = await server.ended
    expect(exitCode).toBe(1)
    const lines = stderr.split('\n').map((line) => JSON.parse(line))
    expect(lines.at(-1)).toMatchObject({
      ...{ level: 60, msg: 'ended by an error that nobody caught' },
      err: { type: 'RangeError', stack: expect.stringMatching(/^RangeError: boom-canary\n {4}at process\.broken /) },
    })
  })

  test('a default tenant that is not there is warned of', async () => {
    const { home } = await serveAcme()
    for (const [slug, warnings] of [
      ['acme', 0],
      ['nope', 1],
    ] as const) {
      const server = await serve(home, {}, ['--default-tenant', slug])
      await server.stop()
      expect((await server.ended).stderr.match(/"level":40.*there is no tenant \\"nope\\"/g) ?? []).toHaveLength(
        warnings,
      )
    }
  })

  test('a tenant made while it runs is served', async () => {
    const { home, server } = await serveAcme()
    expect((await fetch(`${server.url}/t/later/openapi.json`)).status).toBe(404)
    await licet(['tenant', 'create', 'later'], { home })
    expect((await fetch(`${server.url}/t/later/openapi.json`)).status).toBe(200)
    await server.stop()
  })

  test('the reference comes whole from the bundle, and names no other host', async () => {
    const { server } = await serveAcme()
    const page = await fetch(`${server.url}/t/acme/docs`)
    const scripts = [...(await page.text()).matchAll(/src="([^"]+)"/g)].map(([, path]) => path!)
    expect(scripts).toHaveLength(2)
    const [viewer, start] = await Promise.all(scripts.map((path) => fetch(new URL(path, server.url))))
    expect(viewer!.headers.get('content-type')).toMatch(/javascript/)
    expect(await viewer!.text()).toMatch(/MIT License[\s\S]*createApiReference/)
    expect(await start!.text()).not.toMatch(/https?:/)
    await server.stop()
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s lets a request that is on its way finish, and refuses new ones',
    async (name) => {
      const { server } = await serveAcme()
      const request = await halfRequest(server)
      server.signal(name)
      await refusesNew(server)
      expect(await request.finish()).toMatch(/^HTTP\/1\.1 401 [\s\S]*"invalid_client"/)
      expect((await server.ended).exitCode).toBe(0)
    },
  )

  test('a second signal ends it at once', async () => {
    const { server } = await serveAcme()
    const request = await halfRequest(server)
    server.signal('SIGTERM')
    await refusesNew(server)
    server.signal('SIGTERM')
    expect((await server.ended).exitCode).toBe(143)
    request.drop()
  })
})

describe('what keeps it from starting is told in one line', () => {
  const serveOnce = (args: string[], options: Parameters<typeof licet>[1]) => licet(['serve', ...args], options)

  test('a busy port', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const ended = await serveOnce(['--port', String(port)], {})
    other.close()
    expect(ended.stderr).toMatch(new RegExp(`^Error: Cannot listen at 127\\.0\\.0\\.1, port ${port}: another process`))
    expect(ended.exitCode).toBe(1)
    expect(ended.stdout).toBe('')
  })

  const LICET_SMTP_URL = 'smtp://127.0.0.1:1'
  test.each([
    ['a database that is none', ['--database', 'sqlite:.'], {}, /cannot be opened/],
    ['a PostgreSQL without a key', ['--database', 'postgres://u@127.0.0.1:1/x'], {}, /refused the connection/],
    ['a sender of letters that is no address', [], { LICET_SMTP_URL, LICET_MAIL_FROM: 'Me' }, /LICET_MAIL_FROM must/],
    ['a public URL with a path', ['--public-url', 'https://h.example/x'], {}, /must be an origin/],
    ['a proxy that is no network', ['--trusted-proxy', '10.0.0.1, 10.0.0.0/33'], {}, /"10\.0\.0\.0\/33" is no address/],
    ['all that there are as proxies', ['--trusted-proxy', '0.0.0.0/0'], {}, /"0\.0\.0\.0\/0" is no address/],
    ['a proxy by its name', ['--trusted-proxy', 'proxy.example'], {}, /"proxy\.example" is no address/],
    ['a public URL with a user', ['--public-url', 'https://u@h.example'], {}, /must be an origin/],
    [
      'a database that is none, at a usual port',
      ['--public-url', 'https://H.example:443', '--database', 'sqlite:.'],
      {},
      /cannot be opened/,
    ],
  ])('%s', async (_name, args, env, message) => {
    const ended = await serveOnce(['--port', '0', ...args], { env })
    expect(ended.stderr).toMatch(message)
    expect(ended.stderr).not.toMatch(/ at .*:\d+:\d+|Bug/)
    expect([1, 64]).toContain(ended.exitCode)
  })

  test('another master key than the database was made with', async () => {
    const home = freshHome()
    await licet(['tenant', 'create', 'acme'], { home })
    const ended = await serveOnce(['--port', '0', '--json'], {
      home,
      env: { LICET_MASTER_KEY: testMasterKey },
    })
    expect(ended.json().error).toMatchObject({
      codeName: 'cli.failed',
      message: expect.stringMatching(/another master key/),
    })
    expect(ended.exitCode).toBe(1)
  })

  test('a database of a newer version', async () => {
    const home = freshHome()
    await licet(['tenant', 'create', 'acme'], { home })
    const database = new SqliteConnection(join(home.directory, 'licet.db'))
    database.prepare("insert into licet_migration values ('9999-later', '2030-01-01T00:00:00.000Z')").run()
    database.close()
    const ended = await serveOnce(['--port', '0'], { home })
    expect(ended.stderr).toMatch(/^Error: This database was made by a newer version of licet/)
    expect(ended.exitCode).toBe(1)
  })

  test('a database that another process does not let go of', async () => {
    const home = freshHome()
    await licet(['tenant', 'create', 'acme'], { home })
    const database = new SqliteConnection(join(home.directory, 'licet.db'))
    database.exec('begin immediate')
    const ended = await serveOnce(['--port', '0'], { home })
    database.close()
    expect(ended.stderr).toMatch(
      /^Error: The database .+ is being written to by another process, which does not let go\.$/m,
    )
    expect(ended.exitCode).toBe(1)
  })
})

test.skipIf(!existsSync('/dev/full'))('goes on without its log where the disk of the log is full', async () => {
  const { home, server } = await serveAcme()
  await server.stop()
  const words = [process.execPath, binary, 'serve', '--port', '0']
  const child = execa('bash', ['-c', 'exec "$@" 2> /dev/full', 'bash', ...words], {
    ...{ cwd: home.directory, extendEnv: false, env: home.variables, reject: false },
  })
  const [firstLine] = (await once(child.stdout, 'data')) as [Buffer]
  const { url } = JSON.parse(String(firstLine))
  for (let times = 0; times < 3; times++) {
    const answer = await fetch(`${url}/t/acme/.well-known/jwks.json`, { signal: AbortSignal.timeout(20_000) })
    expect(answer.status).toBe(200)
  }
  child.kill('SIGTERM')
  const stuck = setTimeout(() => child.kill('SIGKILL'), 20_000)
  expect((await child).exitCode).toBe(0)
  clearTimeout(stuck)
})
