import type { FastifyInstance } from 'fastify'
import { correlationIdOf } from './correlation.ts'
import { loggedCaller } from './logged-caller.ts'
import { operationNameOf } from './operation.ts'
import { logSecurity } from './security-log.ts'

/**
 * Writes one line per request: who asked what of whom, how it ended and how long it took; never a query string, body or
 * token. Before it one for each thing that it did which matters for security.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { licet } = request
    const { deeds = [], replayed } = licet?.answer ?? {}
    for (const { event, ...deed } of deeds) logSecurity(request, event, { ...deed, ...(replayed ? { replayed } : {}) })
    // Written out: an object with another spread into it costs several times as much.
    const { client, subscription } = loggedCaller(licet?.caller)
    request.log.info({
      correlationId: correlationIdOf(request),
      tenant: licet?.tenant.slug,
      client,
      subscription,
      operation: operationNameOf(request),
      method: request.method,
      status: reply.statusCode,
      millis: Math.round(reply.elapsedTime * 10) / 10,
    })
    done()
  })
}
