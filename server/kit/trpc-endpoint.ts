import { isDeepStrictEqual } from 'node:util'
import type { AnyTRPCRouter } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pathSegment } from '../../catalog-schema/member-names.ts'
import type { Contract } from './contract.ts'
import { parseExactly } from './decimal.ts'
import type { HeavyLane } from './heavy-lane.ts'
import { readIdempotencyKey } from './idempotency.ts'
import { toMarkedJson } from './marked-json.ts'
import { invalid, Problem, trpcShapeOf } from './problem.ts'
import { problemOf } from './procedure.ts'
import { bodyLimits, readJson, readJsonBody } from './rest/body.ts'
import type { Operation } from './rest/operation.ts'
import { readQueryParameters } from './rest/query-parameters.ts'
import { asProblem, logFailure } from './rest/refusals.ts'
import type { ContextBuilder } from './rest/routes.ts'
import { requireAccess, tokenKindOf } from './scope-check.ts'

const maxBatchSize = 10

/** Serves the router's procedures over tRPC's own protocol at `{base_url}/trpc`: batches of at most 10, the error shape the same problem. */
export function mountTrpc(
  app: FastifyInstance,
  router: AnyTRPCRouter,
  operations: readonly Operation[],
  buildContext: ContextBuilder,
  heavy: HeavyLane,
  origin: () => string,
): void {
  const answerFailure = failureAnswerer(origin)
  const contractOf = new Map(operations.map(({ contract }) => [contract.name, contract]))
  const onRequest = async (request: FastifyRequest) => {
    await buildContext(request)
    const { licet } = request
    const called = callsOf(request).map((name) => contractOf.get(name))
    if (!called.some((one) => one && takesClients(one))) return
    // A call that takes another kind of token identifies its caller itself, and each of a batch is refused by itself.
    const isAsked = called.length === 1 && called[0]!.eitherToken === undefined
    const client = licet.identify!('client')
    licet.caller = await (isAsked ? client : client.catch(() => licet.caller))
  }
  const answerCalls = (request: FastifyRequest, reply: FastifyReply) => answer(router, heavy, request, reply)
  app.route({
    method: ['GET', 'POST'],
    url: '/trpc/*',
    bodyLimit: bodyLimits.usual,
    config: { operation: 'trpc' },
    errorHandler: answerFailure,
    onRequest,
    handler: answerCalls,
  })
  // A large body is read only of a caller that may use the operation it is for.
  for (const { contract } of operations.filter(({ contract }) => contract.lane === 'heavy'))
    app.route({
      method: ['GET', 'POST'],
      url: `/trpc/${contract.name}`,
      bodyLimit: bodyLimits.heavy,
      config: { operation: contract.name, inPieces: true },
      errorHandler: answerFailure,
      async onRequest(request) {
        await onRequest(request)
        requireAccess(contract.access, request.licet.caller)
      },
      handler(request, reply) {
        const { batch, input } = readCallParameters(request.url)
        const isItsMethod = (request.method !== 'POST') === (contract.method === 'GET')
        return batch === undefined && isItsMethod
          ? answerHeavily(contract, heavy, input, request, reply)
          : answerCalls(request, reply)
      },
    })
}

/** Whether a client's token will do. */
const takesClients = ({ access, eitherToken }: Contract) =>
  [access, ...(eitherToken ?? [])].some((one) => tokenKindOf(one) === 'client')

/** Answers the calls that a path names, one or a batch, with tRPC's own reading of them. */
async function answer(router: AnyTRPCRouter, heavy: HeavyLane, request: FastifyRequest, reply: FastifyReply) {
  const calls = callsOf(request)
  if (calls.length > maxBatchSize)
    throw new Problem('request.malformed', `A batch holds at most ${maxBatchSize} calls.`)
  const kinds = new Set(calls.flatMap((name) => router._def.procedures[name]?._def.type ?? []))
  if (kinds.size > 1) throw new Problem('request.malformed', 'A batch is of queries or of mutations, not of both.')
  if (kinds.has('mutation') && new Set(calls).size < calls.length && readIdempotencyKey(request.headers) !== undefined)
    throw new Problem(
      'request.malformed',
      'An Idempotency-Key is of one call of a procedure: send those of the same one apart, each under a key of its own.',
    )
  const read = request.body as Buffer | Buffer[] | undefined
  const body = Array.isArray(read) ? Buffer.concat(read) : read
  if (body && body.length > bodyLimits.usual)
    throw new Problem('request.too_large', 'The body is over the limit of 1 MiB.')
  const response = await fetchRequestHandler({
    endpoint: '/trpc',
    router,
    req: toFetchRequest(request, calls, body),
    createContext: () => ({
      ...request.licet,
      elsewhere: (name: string, input: unknown) => runElsewhere(heavy, request, name, input),
    }),
    maxBatchSize,
    onError: ({ error, path }) => logFailure(request, problemOf(error), error, path),
    responseMeta: ({ errors, info }) => {
      if (errors.length === 0 || info?.calls.length !== errors.length) return {}
      const [problem, ...others] = errors.map(problemOf)
      if (others.some(({ status }) => status !== problem!.status)) return { status: 207 }
      const isAlike = others.every(({ headers }) => isDeepStrictEqual(headers, problem!.headers))
      return { status: problem!.status, headers: isAlike ? problem!.headers : undefined }
    },
  })
  return sendResponse(response, request, reply)
}

/** What stands after `/trpc/`: a procedure's name, or several with commas between them. */
const callsOf = (request: FastifyRequest) =>
  decodeURIComponent(request.url.split('?', 1)[0]!.slice('/trpc/'.length)).split(',')

/** One heavy call of a batch, as a value among the others. */
async function runElsewhere(heavy: HeavyLane, request: FastifyRequest, name: string, input: unknown) {
  const { body, headers } = await heavy.run(name, request.licet, {
    params: {},
    query: {},
    body: [Buffer.from(JSON.stringify(input ?? {}))],
    bodyHeaders: { 'content-type': 'application/json' },
    asOneInput: true,
  })
  if (headers['idempotency-replayed']) request.licet.answer.replayed = true
  return parseExactly(Buffer.from(body).toString())
}

/** What tRPC's protocol has in a query string; throws the validation problem for anything else. What is for sockets alone says nothing. */
function readCallParameters(url: string): Record<string, string> {
  const { connectionParams: _ofSockets, ...query } = readQueryParameters(url)
  const unknown = Object.keys(query).filter((name) => name !== 'batch' && name !== 'input')
  const errors = unknown.map((pointer) => ({ pointer, message: 'is no parameter of tRPC' }))
  if ((query.batch ?? '1') !== '1') errors.push({ pointer: 'batch', message: 'must be 1' })
  if (errors.length > 0) throw invalid(errors)
  return query
}

/** The request as tRPC reads it: its JSON read strictly before. */
function toFetchRequest(request: FastifyRequest, calls: readonly string[], body: Buffer | undefined): Request {
  const query = readCallParameters(request.url)
  const search = new URLSearchParams(query)
  const input = query.input === undefined ? undefined : readJson(Buffer.from(query.input))
  if (input !== undefined) search.set('input', toMarkedJson(input))
  const value = readJsonBody(body, request.headers)
  const isPost = request.method === 'POST'
  if (query.batch !== undefined) refuseInputsOfNone(isPost ? value : input, calls)
  return new Request(`http://licet/trpc/${encodeURIComponent(calls.join(','))}?${search}`, {
    method: isPost ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...(asksForLines(request) ? { 'trpc-accept': lines } : {}) },
    ...(isPost && value !== undefined ? { body: toMarkedJson(value) } : {}),
  })
}

/** A batch's inputs stand under the places of its calls. */
function refuseInputsOfNone(inputs: unknown, calls: readonly string[]): void {
  if (typeof inputs !== 'object' || inputs === null) return
  const stray = Object.keys(inputs).find((place) => !Object.keys(calls).includes(place))
  if (stray !== undefined) throw invalid([{ pointer: `/${pathSegment(stray)}`, message: 'the batch has no such call' }])
}

const lines = 'application/jsonl'

const isBatch = (request: FastifyRequest) => /[?&]batch=1(?:&|$)/.test(request.url)

/** Whether a batch is to be answered in the lines that httpBatchStreamLink reads: in its header, or in Accept. */
function asksForLines(request: FastifyRequest): boolean {
  const { accept, 'trpc-accept': asked = accept } = request.headers
  return (
    isBatch(request) &&
    String(asked)
      .split(',')
      .some((type) => type.trim() === lines)
  )
}

/** Sends an answer whole, one in lines as well: what it has cost is committed, and no stream is left open. */
async function sendResponse(response: Response, request: FastifyRequest, reply: FastifyReply) {
  reply.code(response.status)
  for (const [name, value] of response.headers)
    if (name !== 'vary' && name !== 'transfer-encoding') reply.header(name, value)
  if (request.licet.answer.replayed) reply.header('idempotency-replayed', 'true')
  return reply.send(Buffer.from(await response.arrayBuffer()))
}

async function answerHeavily(
  { name }: Contract,
  heavy: HeavyLane,
  input: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const answered = await heavy.run(name, request.licet, {
    params: {},
    query: {},
    body: input === undefined ? (request.body as Buffer[] | undefined) : [Buffer.from(input)],
    bodyHeaders: {
      'content-type': input === undefined ? request.headers['content-type'] : 'application/json',
      'content-encoding': request.headers['content-encoding'],
    },
    asOneInput: true,
  })
  reply.header('content-type', 'application/json').headers(answered.headers)
  return reply.send(Buffer.concat([Buffer.from('{"result":{"data":'), answered.body, Buffer.from('}}')]))
}

/** What fails before a call is reached has tRPC's error shape, too, for each call of a batch (once where lines are asked for); an unknown tenant has no procedures. */
const failureAnswerer =
  (origin: () => string) => (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const problem = asProblem(error)
    const isTenantUnknown = request.licet === undefined && problem.codeName === 'request.route_not_found'
    if (isTenantUnknown) throw error
    logFailure(request, problem, error)
    // The tenant has not been looked up where that is what failed: the database is away, or the server is going down.
    const docsUrl = `${request.licet?.baseUrl ?? origin()}/docs`
    const body = { error: trpcShapeOf(problem.toBody(docsUrl, request.originalUrl.split('?', 1)[0]!)) }
    const calls = callsOf(request)
    const isForEach = isBatch(request) && !asksForLines(request) && calls.length <= maxBatchSize
    return reply
      .code(problem.status)
      .headers(problem.headers)
      .header('content-type', 'application/json')
      .send(JSON.stringify(isForEach ? calls.map(() => body) : body))
  }
