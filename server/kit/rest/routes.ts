import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { admit } from '../admission.ts'
import type { RequestContext } from '../context.ts'
import type { Contract } from '../contract.ts'
import type { HeavyLane } from '../heavy-lane.ts'
import { SplitInput } from '../input.ts'
import { Problem } from '../problem.ts'
import { prefersJson } from './accept.ts'
import { bodyLimits, readJsonBody } from './body.ts'
import type { Operation } from './operation.ts'
import { readQueryParameters } from './query-parameters.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What is known of a tenant's request before its body is read. */
    licet: RequestContext
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    /** The tenant that the URL names. */
    tenantSlug?: string
  }
}

/**
 * Puts into `request.licet` what its procedures know of it, from its URL and headers alone; throws when the tenant is
 * unknown. Who is calling is still to be identified, by the token that the operation asks for.
 */
export type ContextBuilder = (request: FastifyRequest) => Promise<void>

/** Mounts every operation at its REST binding: who is calling is settled before the body is read. */
export function mountOperations(
  app: FastifyInstance,
  operations: readonly Operation[],
  buildContext: ContextBuilder,
  heavy: HeavyLane,
): void {
  const whereOf = ({ contract }: Operation) => `${contract.path} ${contract.lane}`
  for (const sharing of Map.groupBy(operations, whereOf).values()) mountPath(app, sharing, buildContext, heavy)
}

/** One route for all methods of a path, for a start takes its time to make each. */
function mountPath(
  app: FastifyInstance,
  sharing: readonly Operation[],
  buildContext: ContextBuilder,
  heavy: HeavyLane,
) {
  const byMethod = new Map<string, Operation>(sharing.map((one) => [one.contract.method, one]))
  const read = byMethod.get('GET')
  if (read) byMethod.set('HEAD', read)
  const { path, lane } = sharing[0]!.contract
  const isHeavy = lane === 'heavy'
  app.route({
    method: [...byMethod.keys()] as HTTPMethods[],
    exposeHeadRoute: false,
    url: fastifyPath(path),
    bodyLimit: isHeavy ? bodyLimits.heavy : bodyLimits.usual,
    config: { operation: (method) => byMethod.get(method)!.contract.name, inPieces: isHeavy },
    async onRequest(request) {
      await buildContext(request)
      await admit(byMethod.get(request.method)!.contract, request.licet)
    },
    handler(request, reply) {
      const operation = byMethod.get(request.method)!
      return isHeavy ? answerHeavily(operation, heavy, request, reply) : answer(operation, request, reply)
    },
  })
}

const fastifyPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Refuses an empty body where something must be in it or is to change: what was meant is not to be guessed. */
function refuseEmpty({ method, body }: Contract): void {
  if (body === undefined) return
  const { required = [] } = body as { required?: readonly string[] }
  if (['PUT', 'PATCH'].includes(method) || required.length > 0)
    throw new Problem('request.malformed', 'The body is empty: send it as JSON.')
}

async function answer(operation: Operation, request: FastifyRequest, reply: FastifyReply) {
  const context = request.licet
  const body = readJsonBody(request.body as Buffer | undefined, request.headers)
  if (body === undefined) refuseEmpty(operation.contract)
  const input = new SplitInput(request.params as Record<string, unknown>, readQueryParameters(request.url), body)
  const value = await operation.run(context, input)
  reply.headers(context.answer.headers)
  if (context.answer.replayed) reply.header('idempotency-replayed', 'true')
  if (!operation.contract.answer) return reply.code(204).send()
  const { plain } = operation.contract
  if (plain && !prefersJson(request.headers.accept, plain.type))
    return reply.header('content-type', plain.type).send((value as Record<string, string>)[plain.field])
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(value))
}

async function answerHeavily({ contract }: Operation, heavy: HeavyLane, request: FastifyRequest, reply: FastifyReply) {
  const body = request.body as Buffer[] | undefined
  if (!body?.some(({ length }) => length > 0)) refuseEmpty(contract)
  const answered = await heavy.run(contract.name, request.licet, {
    params: request.params as Record<string, unknown>,
    query: readQueryParameters(request.url),
    body,
    bodyHeaders: {
      'content-type': request.headers['content-type'],
      'content-encoding': request.headers['content-encoding'],
    },
  })
  reply.header('content-type', 'application/json; charset=utf-8').headers(answered.headers)
  return reply.send(answered.body)
}
