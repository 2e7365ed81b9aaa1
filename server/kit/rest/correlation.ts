import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    correlationId: string | undefined
  }
}

const acceptable = /^[\x20-\x7e]{1,200}$/

/** The request's own correlation id, or a new one when it has none that is fit for a log line: 1 to 200 printable ASCII characters. */
export function correlationIdOf(request: FastifyRequest): string {
  const given = request.headers['x-correlation-id']
  request.correlationId ??= typeof given === 'string' && acceptable.test(given) ? given : randomUUID()
  return request.correlationId
}
