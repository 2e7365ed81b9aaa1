import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    correlationId: string | undefined
  }
}

const acceptable = /^[\x20-\x7e]{1,200}$/

/** The request's own correlation id, or a new one when it has none that is fit for a log line: 1 to 200 printable ASCII characters. */
export function correlationIdOf(request: FastifyRequest): string {
  request.correlationId ??= correlationIdIn(request.headers)
  return request.correlationId
}

/** The same of headers alone, where there may be no more of a request; a new one each time it is asked. */
export function correlationIdIn(headers: IncomingHttpHeaders = {}): string {
  const given = headers['x-correlation-id']
  return typeof given === 'string' && acceptable.test(given) ? given : randomUUID()
}
