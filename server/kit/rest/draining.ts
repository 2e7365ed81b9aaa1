import { Server, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../problem.ts'
import { endWithAnswer, isAnswering } from './answering-in-turn.ts'

/** For so long nobody is connected who is gone: a caller that connects for each request comes again sooner. */
const goneMillis = 100
/** How long whoever connected last has to send a request that is refused. */
const lateMillis = 300
/** How often who is still taking an answer is looked at. */
const lookMillis = 50
/** How long those are accepted at most who have connected, and more with them. */
const acceptMillis = 500

/**
 * Refuses every request that arrives once draining has begun, and closes every connection once it has its answer. What
 * has arrived is finished, and its answer taken, however long that takes; a caller that has not sent all of its request
 * `arrivalMillis` later is cut off, since Node watches over the time of no connection any more once its server is closing.
 *
 * `begin` answers when nobody is connected any more, or comes again, soon after `idleMillis` at the latest: who is just sending a
 * request, on a connection that was kept alive or on a new one, is to be told, and not to find it closed. Only then are
 * connections refused.
 */
export function refuseWhileDraining(
  app: FastifyInstance,
  arrivalMillis = 10_000,
): { begin(idleMillis?: number): Promise<void> } {
  let draining = false
  const connections = new Set<Socket>()
  let accepted = 0
  let onEmpty = () => {}
  app.server.on('connection', (socket: Socket) => {
    connections.add(socket)
    accepted++
    socket.once('close', () => {
      connections.delete(socket)
      if (connections.size === 0) onEmpty()
    })
  })
  app.addHook('onRequest', (_request, _reply, done) => {
    if (!draining) return done()
    throw new Problem('server.unavailable', 'The server is going down; try again shortly.', {
      headers: { 'retry-after': '2' },
    })
  })
  // Node takes a connection for idle once it was handed all of an answer, and would cut off whoever is still taking it.
  app.addHook('preClose', async () => {
    for (const socket of [...connections]) while (isAnswering(socket) && !socket.destroyed) await pause(lookMillis)
  })
  return {
    async begin(idleMillis = 0) {
      draining = true
      // A connection kept alive after its last answer would hold the server up until it timed out.
      app.server.prependListener('request', (_request, answer) => {
        answer.shouldKeepAlive = false
      })
      for (const socket of connections) endWithAnswer(socket)
      setTimeout(() => {
        for (const socket of connections) if (!isAnswering(socket)) socket.destroy()
      }, arrivalMillis).unref()
      if (idleMillis === 0) return
      const end = performance.now() + idleMillis
      let known: number
      do {
        await untilNobody(end - performance.now())
        known = accepted
        await pause(goneMillis)
      } while (accepted > known && performance.now() < end)
      await untilAccepted()
      // Only the listening ends: the close of an HTTP server also closes every connection that is idle.
      Server.prototype.close.call(app.server)
      await untilNobody(lateMillis)
    },
  }

  /** Waits until everybody is accepted who has connected, one in each turn of the loop: the end of the listening would cut them off. */
  async function untilAccepted(): Promise<void> {
    const end = performance.now() + acceptMillis
    let known: number
    do {
      known = accepted
      // In one turn alone nobody may have been looked for yet.
      await nextTurn()
      await nextTurn()
    } while (accepted > known && performance.now() < end)
  }

  function untilNobody(millis: number): Promise<void> {
    if (connections.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, millis)
      onEmpty = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
