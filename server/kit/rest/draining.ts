import type { FastifyInstance } from 'fastify'
import { Problem } from '../problem.ts'

/** Refuses every request that arrives once draining has begun, and closes its connection; what is running goes on. */
export function refuseWhileDraining(app: FastifyInstance): { begin(): void } {
  let draining = false
  app.addHook('onRequest', async (_request, reply) => {
    if (!draining) return
    reply.header('connection', 'close')
    throw new Problem('server.unavailable', 'The server is going down; try again shortly.', {
      headers: { 'retry-after': '2' },
    })
  })
  return {
    begin() {
      draining = true
    },
  }
}
