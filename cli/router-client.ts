import { createTRPCClientProxy, createTRPCUntypedClient, httpLink, type TRPCClient } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
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
  const client = createTRPCUntypedClient<Router>({
    links: [
      httpLink<AnyTRPCRouter>({
        url: `${base}/trpc`,
        async fetch(input, init) {
          const { body, headers } = init ?? {}
          const path = String(input).slice(base.length)
          const answer = await server.request(init?.method ?? 'GET', path, {
            body: typeof body === 'string' ? body : undefined,
            headers: Object.fromEntries(new Headers(headers as Record<string, string>)),
            timeoutMs,
            signal: init?.signal ?? undefined,
          })
          if (answer.status >= 400) throw refusal(answer, host)
          const value = jsonOf(answer, host)
          if (!isResult(value)) throw foreignAnswer(base)
          return { ok: true, json: async () => value }
        },
      }),
    ],
  })
  const { query, mutation } = client
  client.query = (...call) => query.apply(client, call).catch(unwrapped)
  client.mutation = (...call) => mutation.apply(client, call).catch(unwrapped)
  return createTRPCClientProxy<Router>(client)
}

/** Whether an answer is what a router answers when all went well; what tRPC says of any other is of no help. */
function isResult(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || 'error' in value || !('result' in value)) return false
  return typeof value.result === 'object' && value.result !== null
}

/** tRPC wraps what its fetch throws. */
function unwrapped(error: unknown): never {
  throw error instanceof Error && error.cause instanceof Problem ? error.cause : error
}
