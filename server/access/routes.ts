import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../kit/problem.ts'
import { isEncoded } from '../kit/rest/body.ts'
import { readQueryParameters } from '../kit/rest/query-parameters.ts'
import { asProblem, logFailure } from '../kit/rest/refusals.ts'
import type { ContextBuilder } from '../kit/rest/routes.ts'
import { logSecurity } from '../kit/rest/security-log.ts'
import { authorizationOf } from './request-context.ts'
import { answerTokenRequest } from './token-endpoint/answer-token-request.ts'

/** Mounts the token endpoint: form in, OAuth's own errors out (RFC 6749 §5.2), so it is no ordinary operation. */
export function mountTokenEndpoint(app: FastifyInstance, buildContext: ContextBuilder): void {
  app.post(
    '/auth/connect/token',
    {
      errorHandler: answerTokenError,
      bodyLimit: 16 * 1024,
      config: { operation: 'token' },
      async onRequest(request) {
        await buildContext(request)
      },
    },
    async (request, reply) => {
      const answer = await answerTokenRequest({
        contentType: request.headers['content-type'],
        isEncoded: isEncoded(request.headers),
        authorization: authorizationOf(request),
        query: readQueryParameters(request.url),
        rawBody: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
        context: request.licet,
      })
      if (answer.refused) logSecurity(request, 'token_refused', answer.refused)
      return reply.code(answer.status).headers(answer.headers).send(JSON.stringify(answer.body))
    },
  )
}

/** How the token endpoint answers a method that it has not, too. */
export const tokenErrors = { '/auth/connect/token': answerTokenError }

const notAForm = 'The body must be application/x-www-form-urlencoded.'

/** What fails before the grant is looked at answers as OAuth does, too; an unknown tenant has no token endpoint. */
function answerTokenError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const found = asProblem(error)
  if (found.codeName === 'request.route_not_found') throw found
  const problem =
    found.codeName === 'request.unsupported_media_type' ? new Problem('request.malformed', notAForm) : found
  logFailure(request, problem, error)
  const code = problem.status >= 500 ? 'server_error' : 'invalid_request'
  const detail = problem.codeName === 'request.too_large' ? 'The body is over the limit of 16 KiB.' : problem.message
  return reply
    .code(problem.status)
    .headers({ ...problem.headers, 'content-type': 'application/json', pragma: 'no-cache' })
    .send(JSON.stringify({ error: code, error_description: detail.replaceAll(/["\\]/g, "'") }))
}
