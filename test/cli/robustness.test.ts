import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ended, type Home, licet } from '../support/licet-binary.ts'
import { everyInvocation } from './invocations.ts'
import { leadElsewhere, robustHome, soundTenant } from './robust-home.ts'
import { problem, type Seen, standIn, standInSecret } from './tenant-stand-in.ts'

const talking = everyInvocation().filter(({ talks }) => talks)

/** The signature of every token that a stand-in issues. */
const tokenCanary = 'c2lnbmF0dXJl'
const canaries = [
  standInSecret,
  new URLSearchParams([['', standInSecret]]).toString().slice(1),
  tokenCanary,
  'Basic Y2xp',
]

interface Failure {
  name: string
  answer?: Parameters<typeof standIn>[0]['*']
  /** Where nobody answers, instead. */
  url?: () => Promise<string>
  env?: Record<string, string>
  said: RegExp
  error: Record<string, unknown>
  /** Failures of one way take the same path: each command meets one of them, each of them a part of the commands. */
  way: 'no answer' | 'a page' | 'a problem'
}

/** A page of somebody between that shows what was sent: secrets included. */
const page = ({ headers }: Seen) =>
  `<!doctype html><title>Proxy</title><h1>Blocked</h1> authorization: ${headers.authorization} secret: ${standInSecret}`

const failures: Failure[] = [
  {
    name: 'a closed server',
    way: 'no answer',
    url: async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await new Promise((listening) => server.once('listening', listening))
      const { port } = server.address() as AddressInfo
      await new Promise((closed) => server.close(closed))
      return `http://127.0.0.1:${port}/t/acme`
    },
    said: /Nothing listens at (127\.0\.0\.1|localhost):\d+/,
    error: { code: 8008, codeName: 'cli.unreachable' },
  },
  {
    name: 'a server that hangs',
    way: 'no answer',
    answer: () => {},
    // What would take minutes is given half a second.
    env: {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent('const t=AbortSignal.timeout;AbortSignal.timeout=()=>t.call(AbortSignal,500)')}`,
    },
    said: /did not answer within \d+ s/,
    error: { code: 8008, codeName: 'cli.unreachable' },
  },
  {
    name: 'a web page instead of JSON',
    way: 'a page',
    answer: (asked, out) => out.writeHead(200, { 'content-type': 'text/html' }).end(page(asked)),
    said: /web page instead of JSON/,
    error: { code: 8009, codeName: 'cli.unreadable_answer' },
  },
  {
    name: 'a web page with 502',
    way: 'a page',
    answer: (asked, out) => out.writeHead(502, { 'content-type': 'text/html' }).end(page(asked)),
    said: /502 with a web page[\s\S]*Blocked/,
    error: { codeName: 'http.502', status: 502 },
  },
  {
    name: '401',
    way: 'a problem',
    answer: (_, out) => problem(out, 401, 1101, 'auth.unauthenticated', 'The token has expired.'),
    said: /The token has expired/,
    error: { code: 1101, codeName: 'auth.unauthenticated', status: 401 },
  },
  {
    name: '403',
    way: 'a problem',
    answer: (_, out) => problem(out, 403, 1103, 'auth.insufficient_scope', 'admin.catalog:read is missing.'),
    said: /admin\.catalog:read is missing/,
    error: { code: 1103, codeName: 'auth.insufficient_scope', status: 403 },
  },
  {
    name: '409',
    way: 'a problem',
    answer: (_, out) => problem(out, 409, 3002, 'catalog.in_use', 'Used by Pro.'),
    said: /Used by Pro/,
    error: { code: 3002, codeName: 'catalog.in_use', status: 409 },
  },
  {
    name: '429',
    way: 'a problem',
    answer: (_, out) => problem(out, 429, 1008, 'request.rate_limited', 'Too many requests.'),
    said: /Too many requests[\s\S]*in 7 s/,
    error: { code: 1008, codeName: 'request.rate_limited', status: 429, retryAfterSeconds: 7 },
  },
  {
    name: '500 that repeats what was sent',
    way: 'a problem',
    answer: (asked, out) =>
      problem(out, 500, 9000, 'server.internal', `Failed for ${asked.headers.authorization} and ${standInSecret}.`),
    said: /Failed for (Bearer \[secret\]|undefined) and \[secret\][\s\S]*correlation id corr-1/,
    error: { code: 9000, codeName: 'server.internal', status: 500, correlationId: 'corr-1' },
  },
]

/** Whether a command, by its place among them, meets a failure. */
function isMet(failure: Failure, place: number): boolean {
  const alike = failures.filter(({ way }) => way === failure.way)
  return place % alike.length === alike.indexOf(failure)
}

let home: Home
beforeAll(async () => {
  const sound = await soundTenant()
  home = await robustHome(sound.url)
  const planned = await licet(['catalog', 'plan', 'one.yaml', '--env', 'one', '--out', 'plan.json'], { home })
  await sound.close()
  expect(planned.stderr + planned.exitCode).toMatch(/0$/)
})

const progress = /^(\S.*…\n)*$/

function expectNoSecret({ stdout, stderr }: Ended) {
  for (const canary of canaries) expect(stdout + stderr).not.toContain(canary)
}

describe.each(failures)('$name', (failure) => {
  const { answer, url, env, said, error } = failure
  let close = async () => {}
  beforeAll(async () => {
    if (url) {
      await leadElsewhere(home, await url())
      return
    }
    const server = await standIn({ '*': answer! })
    close = () => server.close()
    await leadElsewhere(home, server.url)
  })
  afterAll(() => close())

  // What licet api prints is the server's own answer, whatever it is.
  const refused = talking
    .filter((_, place) => isMet(failure, place))
    .filter(({ id }) => id !== 'api' || error.codeName !== 'cli.unreadable_answer')
  test.each(refused)('licet $id', async ({ id, args }) => {
    const words = [...id.split(' '), ...args]
    const [human, machine] = await Promise.all([
      licet(words, { home, env: { LICET_DEBUG: '1', ...env } }),
      licet([...words, '--json'], { home, env }),
    ])
    expect(human.stderr).toMatch(said)
    expect(human.stderr.match(/^(Error|Bug): /gm)).toEqual(['Error: '])
    expect(human.stderr).toMatch(/\n {2}Try: \S/)
    expect(human.stderr).not.toMatch(/^ {4}at |node:internal/m)
    if (id !== 'api') expect(human.stdout).toBe('')
    expect(human.exitCode).toBe(1)
    expectNoSecret(human)

    expect(Object.keys(machine.json())).toEqual(['error'])
    expect(machine.json().error).toMatchObject({ ...error, hint: expect.stringMatching(/\S/) })
    expect(machine.stderr).toMatch(progress)
    expect(machine.exitCode).toBe(1)
    expectNoSecret(machine)
  })
})
