import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import type { ChosenEnvironment } from '../../cli/environments/choosing.ts'
import { whileSubscribed } from '../../cli/tasks/webhook-passing-subscription.ts'
import { json, type StandIn, standIn, standInSecret } from '../cli/tenant-stand-in.ts'

const id = '0199f000-0000-7000-8000-00000000000b'
const url = 'http://127.0.0.1:41007'
const subscription = { id, url, eventTypes: ['*'], status: 'Active' }
const procedures = '/trpc/webhooks.subscriptions'

const answer = (out: ServerResponse) => json(out, 200, { result: { data: subscription } })
const drop = (out: ServerResponse) => void out.socket?.destroy()
const gatewayFails = (out: ServerResponse) =>
  void out.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502</h1>')

let server: StandIn
afterEach(() => server.close())

/** What a listener does that is told to stop as soon as it has passed its challenge, and what the tenant is asked meanwhile. */
async function subscribe(creations: ((out: ServerResponse) => void)[], routes: Parameters<typeof standIn>[0] = {}) {
  server = await standIn({
    [`POST ${procedures}.create`]: (_, out) => creations.shift()!(out),
    [`POST ${procedures}.verify`]: (_, out) => answer(out),
    [`POST ${procedures}.delete`]: (_, out) => answer(out),
    ...routes,
  })
  const environment: ChosenEnvironment = {
    ...{ name: null, url: server.url, clientId: 'cli ent:1', clientSecret: standInSecret, protected: false },
  }
  const controller = new AbortController()
  const { signal } = controller
  const told = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  const ending = { signal, told, lastWords: undefined, tell: () => controller.abort(), close: () => {} }
  const [nothing, removed] = [() => {}, [] as string[]]
  const teller = {
    ...{ listening: nothing, heard: nothing, subscribed: nothing, warn: nothing },
    ...{ verified: ending.tell, removed: (which: string) => void removed.push(which) },
  }
  const wish = { environment, url, eventTypes: ['*'], secret: 'a secret of words' }
  const failure = await whileSubscribed(wish, ending, teller).then(
    () => undefined,
    (error: unknown) => error,
  )
  const asked = server.seen.map(({ url: path }) => path.replace(`/t/acme${procedures}.`, ''))
  return { failure, removed, asked, seen: server.seen }
}

test.each([
  ['drops the connection', drop],
  ['says that it had no answer', gatewayFails],
])(
  'a subscription whose answer a proxy loses is asked for again by the same key, and removed: it %s',
  async (_, lose) => {
    const { failure, removed, asked, seen } = await subscribe([lose, answer])
    expect(failure).toBeUndefined()
    expect(asked).toEqual(['create', 'create', 'verify', 'delete'])
    const [first, second] = seen.map(({ headers }) => headers['idempotency-key'])
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect(second).toBe(first)
    expect(seen[1]!.body).toBe(seen[0]!.body)
    expect(removed).toEqual([id])
  },
)

test('where the answer is lost twice, it is said that one may be left behind, and how it is found and removed', async () => {
  const { failure, asked } = await subscribe([drop, drop])
  expect(asked).toEqual(['create', 'create'])
  expect(failure).toMatchObject({
    codeName: 'cli.unreachable',
    details: { hint: expect.stringMatching(/may have been made.*webhook list.*127\.0\.0\.1:41007.*webhook remove/) },
  })
})

test('a refusal is not asked for twice', async () => {
  const { failure, asked } = await subscribe([(out) => json(out, 400, { codeName: 'x.y', detail: 'No.' })])
  expect([asked, failure]).toMatchObject([['create'], { codeName: 'x.y' }])
})

test('a client that could not remove its subscription makes none, and is told which scopes it lacks', async () => {
  const { failure, asked } = await subscribe([answer], {
    'POST /auth/connect/token': (_, out) =>
      json(out, 200, { access_token: 'a.b.c', expires_in: 900, scope: 'webhooks.subscriptions:create' }),
  })
  expect(asked).toEqual([])
  expect(failure).toMatchObject({
    codeName: 'cli.credentials',
    message: expect.stringContaining(': webhooks.subscriptions:update webhooks.subscriptions:delete.'),
  })
})
