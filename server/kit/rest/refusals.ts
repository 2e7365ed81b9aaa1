import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ProblemName } from '../../vocabulary/problems.ts'
import { Problem } from '../problem.ts'
import { problemOf } from '../procedure.ts'
import { afterAnswer, arrivingOn } from './answering-in-turn.ts'
import { headLimit } from './body.ts'
import { correlationIdIn, correlationIdOf } from './correlation.ts'
import { operationNameOf } from './operation.ts'
import { logSecurity } from './security-log.ts'
import { originForm } from './tenant-path.ts'

const frameworkProblems: Record<string, [ProblemName, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [
    'request.too_large',
    'The body is over the limit: 1 MiB; 64 MiB for catalog compare, import and apply.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['request.malformed', 'The body is not as long as Content-Length says.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['request.unsupported_media_type', 'Send the body as application/json, in UTF-8.'],
  FST_ERR_BAD_URL: ['request.malformed', 'The path is not percent-encoded UTF-8.'],
  FST_ERR_MAX_PARAM_LENGTH: ['request.uri_too_long', 'A segment of the path is too long.'],
  FST_ERR_MAX_PARAM_LENGTH_EXCEEDED: ['request.uri_too_long', 'A segment of the path is too long.'],
}

type ErrorHandler = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** Answers every failure, the framework's own included, as a problem; of a path that is listed here, as that path answers its own. */
export function answerProblems(
  app: FastifyInstance,
  origin: () => string,
  otherwise: Readonly<Record<string, ErrorHandler>>,
): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = asProblem(error)
    const own = request.is404 ? otherwise[request.url.split('?', 1)[0]!] : undefined
    if (own && problem.codeName !== 'request.route_not_found') return own(error, request, reply)
    logFailure(request, problem, error)
    return sendProblem(problem, origin(), request, reply)
  })
}

/** Logs the cause of a failure that is ours, and who was not let in or asked too often; what else a caller did wrong stands in its answer. */
export function logFailure(
  request: FastifyRequest,
  problem: Problem,
  error: unknown,
  operation = operationNameOf(request),
): void {
  if (problem.codeName === 'auth.unauthenticated' || problem.codeName === 'auth.insufficient_scope')
    logSecurity(request, 'access_denied', { operation, reason: problem.codeName, detail: problem.message })
  if (problem.codeName === 'request.rate_limited')
    logSecurity(request, 'rate_limited', { operation, reason: problem.codeName, detail: problem.message })
  const err = (error as { cause?: unknown }).cause ?? error
  if (problem.codeName === 'server.internal')
    request.log.error({ err, correlationId: correlationIdOf(request) }, 'internal error')
  else if (problem.codeName === 'server.unavailable' && !(err instanceof Problem))
    request.log.warn({ err, correlationId: correlationIdOf(request) }, 'database away')
}

/** Answers what the framework refuses before any hook has run: a path that is not UTF-8, for one. */
export function sendFrameworkProblem(
  error: FastifyError,
  origin: string,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  setUsualHeaders(request, reply)
  sendProblem(asProblem(error), origin, request, reply)
}

/** The headers that every answer has, whatever it is. */
const usualHeaders = (correlationId: string) => ({
  'x-correlation-id': correlationId,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
})

/** Gives an answer the headers that every one has. */
export function setUsualHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(usualHeaders(correlationIdOf(request)))
}

/** The problem behind any error that reaches the edge: ours, or the framework's. */
export function asProblem(error: FastifyError): Problem {
  const known = frameworkProblems[error.code]
  if (known) return new Problem(...known)
  // Node's own error of a client that went away within its body; not the database's of the same code.
  if (error.code === 'ECONNRESET' && error.message === 'aborted')
    return new Problem('request.malformed', 'The body ended early.')
  const problem = problemOf(error)
  if (problem.codeName !== 'server.internal') return problem
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new Problem('request.malformed', 'The request is not acceptable HTTP.')
  return problem
}

function sendProblem(problem: Problem, origin: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const docsUrl = `${request.licet?.baseUrl ?? origin}/docs`
  const instance = (request.originalUrl ?? request.url).split('?', 1)[0]!
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .send(JSON.stringify(problem.toBody(docsUrl, instance)))
}

/** What refuses where Fastify does not reach: whom answers name, and the log, which has a line for each. */
export interface Edge {
  origin: () => string
  log: FastifyBaseLogger
}

/** Answers what does not become a request (garbage, headers too large, too slow, a broken body) on the bare socket, and closes it. */
export function answerSocketError(error: NodeJS.ErrnoException, socket: Socket, edge: Edge): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new Problem('request.headers_too_large', `The request headers are over the limit of ${headLimit / 1024} KiB.`)
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new Problem('request.timeout', 'The request did not arrive in time.')
        : new Problem('request.malformed', 'This is not an HTTP request.')
  answerBarely(problem, socket, edge, arrivingOn(socket))
}

/** Refuses CONNECT (RFC 9110 §9.3.6), which Node takes for no request: this is no proxy. */
export const refuseTunnel = (edge: Edge) => (request: IncomingMessage, duplex: Duplex) => {
  const socket = duplex as Socket
  // From here on the socket is ours alone: nobody else hears that its other end is gone.
  socket.on('error', () => socket.destroy())
  const headers = { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' }
  const problem = new Problem('request.method_not_allowed', 'This is no proxy.', { headers })
  afterAnswer(socket, () => answerBarely(problem, socket, edge, request))
}

/** Connections that end with a refusal: what else comes on them is not answered, and has no line in the log. */
const refused = new WeakSet<Duplex>()

/** Refuses an Expect header that asks for anything but 100-continue (RFC 9110 §10.1.1). */
export const refuseExpectation = (edge: Edge) => (request: IncomingMessage, response: ServerResponse) => {
  if (refused.has(request.socket)) return
  refused.add(request.socket)
  const problem = new Problem('request.expectation_failed', 'Only Expect: 100-continue is known here.')
  const { headers, body } = bareAnswer(problem, edge, request)
  response.writeHead(problem.status, headers).end(body)
}

function answerBarely(problem: Problem, socket: Duplex, edge: Edge, request: IncomingMessage | undefined): void {
  const { headers, body } = bareAnswer(problem, edge, request)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${problem.status} Refused\r\n${lines.join('')}\r\n${body}`)
}

/** An answer to what does not become a request, and its line in the log; of what has been read of one, as much as is known. */
function bareAnswer(problem: Problem, { origin, log }: Edge, request: IncomingMessage | undefined) {
  const correlationId = correlationIdIn(request?.headers)
  const { originalUrl, url, method } = (request ?? {}) as Partial<IncomingMessage & { originalUrl: string }>
  const path = originForm({ url: originalUrl ?? url, headers: {} }).split('?', 1)[0]!
  log.info({ correlationId, method, status: problem.status, reason: problem.codeName })
  const body = JSON.stringify(problem.toBody(`${origin()}/docs`, path.startsWith('/') ? path : '/'))
  const headers = {
    ...usualHeaders(correlationId),
    'content-type': 'application/problem+json; charset=utf-8',
    connection: 'close',
    ...problem.headers,
    'content-length': Buffer.byteLength(body),
  }
  return { headers, body }
}
