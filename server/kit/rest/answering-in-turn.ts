import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How often who takes its answer is looked at, and how long it may then take nothing; twice as long where it took a part first. */
const usualLimits = { lookMillis: 5000, stallMillis: 12_000 }
/** With so many requests waiting on a connection no more are read from it; with so many that were read all the same it is cut. */
const many = 32
const tooMany = 4000

/** The requests of one connection: the answer that is being made or taken, the last that is due, and how many wait before it. */
interface Line {
  current: ServerResponse
  last: ServerResponse
  waiting: number
  /** Whether no further request is begun. */
  isOver: boolean
}

const lines = new WeakMap<Socket, Line>()

/**
 * Begins a request that was sent behind another, before that was answered (RFC 9112 §9.3.2), once the caller has taken the
 * answer before: else one connection would have any number of answers made, and kept, that nobody reads. A caller that takes
 * nothing any more is cut off.
 */
export function answerInTurn(app: FastifyInstance, limits = usualLimits): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const answer = reply.raw
    const line = lines.get(socket)
    if (!line) {
      lines.set(socket, { current: answer, last: answer, waiting: 0, isOver: false })
      return done()
    }
    if (line.isOver) return
    const before = line.last
    line.last = answer
    if (before.writableFinished) {
      line.current = answer
      return done()
    }
    line.waiting++
    if (line.waiting > tooMany) return void socket.destroy()
    if (line.waiting >= many) socket.pause()
    before.once('close', () => {
      line.waiting--
      if (socket.destroyed || line.isOver) return
      if (line.waiting < many) socket.resume()
      line.current = answer
      // Not while its own is made.
      socket.setTimeout(0)
      done()
    })
  })
  cutStalled(app, limits)
}

/**
 * Does what ends a connection: of a request that came behind another once the answer to that was taken, and what waits behind is
 * not begun; at once where it is the request under way that has not arrived.
 */
export function afterAnswer(socket: Socket, end: () => void): void {
  const line = lines.get(socket)
  if (line && !line.current.writableFinished && line.current.req.complete) {
    line.isOver = true
    line.current.once('close', end)
  } else end()
}

/** Whether a request that has arrived is being answered, or its answer still taken. */
export function isAnswering(socket: Socket): boolean {
  const current = lines.get(socket)?.current
  return current?.req.complete === true && !current.writableFinished
}

/** The request of a connection whose head has arrived and whose body has not. */
export function arrivingOn(socket: Socket): IncomingMessage | undefined {
  const request = lines.get(socket)?.last.req
  return request?.complete === false ? request : undefined
}

/** Ends a connection with the answer that is being made, where that is not on its way yet. */
export function endWithAnswer(socket: Socket): void {
  const line = lines.get(socket)
  if (line) line.current.shouldKeepAlive = false
}

/** Has no further request begun on a connection. */
export function beginNoMore(socket: Socket): void {
  const line = lines.get(socket)
  if (line) line.isOver = true
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
