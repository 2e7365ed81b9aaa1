import type { AnyTRPCRouter } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Contract } from './contract.ts'
import type { HeavyLane } from './heavy-lane.ts'
import { Problem } from './problem.ts'
import { problemOf } from './procedure.ts'
import { bodyLimits, readJson, readJsonBody } from './rest/body.ts'
import type { Operation } from './rest/operation.ts'
import { readQueryParameters } from './rest/query-parameters.ts'
import type { ContextBuilder } from './rest/routes.ts'
import { requireAccess } from './scope-check.ts'

const maxBatchSize = 10

/** Serves the router's procedures over tRPC's own protocol at `{base_url}/trpc`: batches of at most 10, the error shape the same problem. */
export function mountTrpc(
  app: FastifyInstance,
  router: AnyTRPCRouter,
  operations: readonly Operation[],
  buildContext: ContextBuilder,
  heavy: HeavyLane,
): void {
  const heavyNames = new Map(
    operations.filter(({ contract }) => contract.lane === 'heavy').map(({ contract }) => [contract.name, contract]),
  )
  app.route({
    method: ['GET', 'POST'],
    url: '/trpc/*',
    bodyLimit: bodyLimits.heavy,
    config: { operation: 'trpc' },
    async onRequest(request) {
      request.licet = await buildContext(request, true)
    },
    async handler(request, reply) {
      const path = (request.params as { '*': string })['*']
      const contract = heavyNames.get(path)
      const query = readQueryParameters(request.url)
      if (contract && (request.method === 'GET') === (contract.method === 'GET') && query.batch === undefined) {
        return answerHeavily(contract, heavy, query.input, request, reply)
      }
      const body = request.body as Buffer | undefined
      if (body && body.length > bodyLimits.usual)
        throw new Problem('request.too_large', 'The body is over the limit of 1 MiB.')
      const response = await fetchRequestHandler({
        endpoint: '/trpc',
        router,
        req: await toFetchRequest(request, body),
        createContext: () => ({
          ...request.licet,
          elsewhere: (name: string, input: unknown) => runElsewhere(heavy, request, name, input),
        }),
        maxBatchSize,
        onError: ({ error, path: failed }) => {
          if (problemOf(error).codeName === 'server.internal')
            request.log.error({ err: error.cause ?? error, procedure: failed }, 'internal error')
        },
        responseMeta: ({ errors, info }) => {
          if (errors.length !== 1 || info?.calls.length !== 1) return {}
          const problem = problemOf(errors[0])
          return { status: problem.status, headers: problem.headers }
        },
      })
      return sendResponse(response, request, reply)
    },
  })
}

/** One heavy call of a batch, as a value among the others. */
async function runElsewhere(heavy: HeavyLane, request: FastifyRequest, name: string, input: unknown) {
  const { json, headers } = await heavy.run(name, request.licet, {
    params: {},
    query: {},
    body: Buffer.from(JSON.stringify(input ?? {})),
    bodyHeaders: { 'content-type': 'application/json' },
    asOneInput: true,
  })
  if (headers['idempotency-replayed']) request.licet.answer.replayed = true
  return JSON.parse(Buffer.from(json).toString())
}

async function toFetchRequest(request: FastifyRequest, body: Buffer | undefined): Promise<Request> {
  const query = readQueryParameters(request.url)
  const search = new URLSearchParams(query)
  if (query.input !== undefined) search.set('input', JSON.stringify(readJson(Buffer.from(query.input))))
  const value = readJsonBody(body, request.headers)
  const headers = new Headers({ 'content-type': 'application/json' })
  if (typeof request.headers.accept === 'string') headers.set('accept', request.headers.accept)
  return new Request(`http://licet/trpc/${(request.params as { '*': string })['*']}?${search}`, {
    method: request.method,
    headers,
    ...(request.method === 'POST' && value !== undefined ? { body: JSON.stringify(value) } : {}),
  })
}

async function sendResponse(response: Response, request: FastifyRequest, reply: FastifyReply) {
  reply.code(response.status)
  for (const [name, value] of response.headers) if (name !== 'vary') reply.header(name, value)
  if (request.licet.answer.replayed) reply.header('idempotency-replayed', 'true')
  return reply.send(Buffer.from(await response.arrayBuffer()))
}

async function answerHeavily(
  { name, access }: Contract,
  heavy: HeavyLane,
  input: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  reply.header('content-type', 'application/json')
  try {
    requireAccess(access, request.licet.caller)
    const answered = await heavy.run(name, request.licet, {
      params: {},
      query: {},
      body: input === undefined ? (request.body as Buffer | undefined) : Buffer.from(input),
      bodyHeaders: {
        'content-type': input === undefined ? request.headers['content-type'] : 'application/json',
        'content-encoding': request.headers['content-encoding'],
      },
      asOneInput: true,
    })
    reply.headers(answered.headers)
    return reply.send(Buffer.concat([Buffer.from('{"result":{"data":'), answered.json, Buffer.from('}}')]))
  } catch (error) {
    const problem = problemOf(error)
    if (problem.codeName === 'server.internal') request.log.error({ err: error, procedure: name }, 'internal error')
    const body = problem.toBody(`${request.licet.baseUrl}/docs`, request.licet.instance)
    return reply
      .code(problem.status)
      .headers(problem.headers)
      .send(JSON.stringify({ error: body }))
  }
}
