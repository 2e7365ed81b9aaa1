import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How often who takes its answer is looked at, and how long it may then take nothing; twice as long where it took a part first. */
const usualLimits = { lookMillis: 5000, stallMillis: 12_000 }

/**
 * Begins a request that was sent behind another, before that was answered (RFC 9112 §9.3.2), once the caller has taken the
 * answer before: else one connection would have any number of answers made, and kept, that nobody reads. A caller that takes
 * nothing any more is cut off.
 */
export function answerInTurn(app: FastifyInstance, limits = usualLimits): void {
  const last = new WeakMap<Socket, ServerResponse>()
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const before = last.get(socket)
    last.set(socket, reply.raw)
    if (!before || before.writableFinished) return done()
    before.once('close', () => {
      if (socket.destroyed) return
      // Not while its own is made.
      socket.setTimeout(0)
      done()
    })
  })
  cutStalled(app, limits)
}

/** Ends the connections that have something to take and take nothing. Looked at from time to time: a timer for each answer adds up. */
function cutStalled(app: FastifyInstance, { lookMillis, stallMillis }: typeof usualLimits): void {
  const connections = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  const looking = setInterval(() => {
    for (const socket of connections) if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(stallMillis)
  }, lookMillis).unref()
  app.addHook('onClose', async () => clearInterval(looking))
}
