import { createTRPCClientProxy, createTRPCUntypedClient, type TRPCClient } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import { Problem } from './problems.ts'
import type { ServerClient } from './server-client.ts'
import { foreignAnswer, jsonOf } from './server-connection/answer-body.ts'
import { refusal } from './server-connection/refusals.ts'

/** How long an answer may take: ten minutes, for what a large catalog needs. */
const patienceMs = 10 * 60_000

/** The server's procedures, typed by its router, called through a server client; every failure is a Problem. */
export function routerClient<Router extends AnyTRPCRouter>(
  server: ServerClient,
  timeoutMs = patienceMs,
): TRPCClient<Router> {
  const base = server.environment.url
  const host = new URL(base).host

  async function call({ type, path, input, signal }: Call): Promise<Result> {
    const isQuery = type === 'query'
    const answer = await server.request(isQuery ? 'GET' : 'POST', `/trpc/${path}`, {
      ...(isQuery
        ? { query: { input: JSON.stringify(input) } }
        : { body: JSON.stringify(input), headers: { 'content-type': 'application/json' } }),
      timeoutMs,
      signal: signal ?? undefined,
    })
    if (answer.status >= 400) throw refusal(answer, host)
    const value = jsonOf(answer, host)
    if (!isAnswer(value)) throw foreignAnswer(base, answer)
    return value.result
  }

  const client = createTRPCUntypedClient<Router>({
    links: [
      () =>
        ({ op }) =>
          observable(({ next, complete, error }) => {
            call(op).then((result) => {
              next({ result })
              complete()
            }, error)
          }),
    ],
  })
  const { query, mutation } = client
  client.query = (...call) => query.apply(client, call).catch(unwrapped)
  client.mutation = (...call) => mutation.apply(client, call).catch(unwrapped)
  return createTRPCClientProxy<Router>(client)
}

interface Call {
  type: string
  path: string
  input: unknown
  signal: AbortSignal | null | undefined
}

interface Result {
  data: unknown
}

/** Whether an answer is what a router answers when all went well; what tRPC says of any other is of no help. */
function isAnswer(value: unknown): value is { result: Result } {
  if (typeof value !== 'object' || value === null || 'error' in value || !('result' in value)) return false
  return typeof value.result === 'object' && value.result !== null
}

/** tRPC wraps what a link throws. */
function unwrapped(error: unknown): never {
  throw error instanceof Error && error.cause instanceof Problem ? error.cause : error
}
