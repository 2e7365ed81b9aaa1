import type { FastifyInstance } from 'fastify'
import { Problem } from '../problem.ts'

/** Refuses every request that arrives once draining has begun, and every connection once it has its answer; what is running goes on. */
export function refuseWhileDraining(app: FastifyInstance): { begin(): void } {
  let draining = false
  app.addHook('onRequest', async () => {
    if (!draining) return
    throw new Problem('server.unavailable', 'The server is going down; try again shortly.', {
      headers: { 'retry-after': '2' },
    })
  })
  // A connection kept alive after its last answer would hold the server up until it timed out.
  app.addHook('onSend', async (_request, reply) => {
    if (draining) reply.header('connection', 'close')
  })
  // A connection kept alive after its answer would hold the closing up until it has been idle long enough.
  app.addHook('onSend', async (_request, reply) => {
    if (draining) reply.header('connection', 'close')
  })
  return {
    begin() {
      draining = true
    },
  }
}
