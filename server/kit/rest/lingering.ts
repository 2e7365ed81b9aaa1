import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { beginNoMore } from './answering-in-turn.ts'

/** How long, and how much, a caller may still send after the answer that its connection ends with. */
const usualLimits = { millis: 5000, bytes: 256 * 1024 * 1024 }

/**
 * Ends a connection that is answered before all of its request is there, such as one over the limit, only once the rest
 * is there, too, read and dropped: a caller that is still sending into a closed connection loses the answer. Nothing
 * more is taken from it. A connection that is kept for further requests is none of it: Node reads those to their end.
 */
export function lingerOnClosing(app: FastifyInstance, limits = usualLimits): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { raw } = request
    if (!raw.complete && (reply.getHeader('connection') === 'close' || !reply.raw.shouldKeepAlive)) {
      beginNoMore(raw.socket)
      linger(raw, limits)
    }
    done()
  })
}

/** Takes the place of what Node does once the last answer of a connection is written: to destroy it, whatever is still coming. */
function linger(request: IncomingMessage, { millis, bytes }: typeof usualLimits) {
  const { socket } = request
  let dropped = 0
  request.on('data', (piece: Buffer) => {
    dropped += piece.length
    if (dropped > bytes) socket.destroy()
  })
  const destroySoon = socket.destroySoon.bind(socket)
  socket.destroySoon = () => {
    if (request.readableEnded) return destroySoon()
    socket.end()
    const timer = setTimeout(() => socket.destroy(), millis).unref()
    socket.once('close', () => clearTimeout(timer))
    request.once('end', destroySoon)
  }
}
