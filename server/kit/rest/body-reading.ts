import type { IncomingMessage } from 'node:http'
import { errorCodes, type FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is wanted in the pieces that it came in: to join millions of bytes holds everybody else up. */
    inPieces?: boolean
  }
}

/** Reads a request's body up to the limit of its route: one Buffer, or Buffer[] where the route wants pieces. Rejects with Fastify's own errors. */
export async function readBody(request: FastifyRequest, payload: IncomingMessage): Promise<Buffer | Buffer[]> {
  const { bodyLimit, config } = request.routeOptions
  const announced = Number(request.headers['content-length'])
  if (announced > bodyLimit!) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  const pieces = await collect(payload, bodyLimit!)
  const received = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (!Number.isNaN(announced) && received !== announced) throw new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH()
  if (config.inPieces) return pieces
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, received)
}

function letOthersBeRead(payload: IncomingMessage) {
  payload.pause()
  setImmediate(() => payload.resume())
}

function collect(payload: IncomingMessage, limit: number): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let received = 0
    const stop = () => {
      payload.off('data', take).off('end', finish).off('error', fail)
    }
    const take = (piece: Buffer) => {
      received += piece.length
      if (received > limit) return fail(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
      pieces.push(piece)
      // One piece a turn: a socket that has millions of bytes ready would have them all read before anybody else's request.
      if (pieces.length > 1) letOthersBeRead(payload)
    }
    const finish = () => {
      stop()
      resolve(pieces)
    }
    const fail = (error: Error & { statusCode?: number }) => {
      stop()
      error.statusCode ??= 400
      reject(error)
    }
    payload.on('data', take).on('end', finish).on('error', fail)
  })
}
