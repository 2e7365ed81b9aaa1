import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** A caller that takes nothing of an answer for so long is cut off when as much time again has passed, at the latest. */
const stallMillis = 15_000

/**
 * Begins a request that was sent behind another, before that was answered (RFC 9112 §9.3.2), once the caller has taken the
 * answer before: else one connection would have any number of answers made, and kept, that nobody reads. A caller that takes
 * nothing any more is cut off.
 */
export function answerInTurn(app: FastifyInstance, limitMillis = stallMillis): void {
  const last = new WeakMap<Socket, ServerResponse>()
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const before = last.get(socket)
    last.set(socket, reply.raw)
    reply.raw.once('prefinish', () => void socket.setTimeout(limitMillis))
    if (!before || before.writableFinished) return done()
    before.once('close', () => {
      if (socket.destroyed) return
      socket.setTimeout(0)
      done()
    })
  })
}
