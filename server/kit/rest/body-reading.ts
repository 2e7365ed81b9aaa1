import type { IncomingMessage } from 'node:http'
import { errorCodes, type FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is wanted in the pieces that it came in: to join millions of bytes holds everybody else up. */
    inPieces?: boolean
  }
}

/** The most bytes of bodies that a server holds which have not come whole yet, but for what came of each at first. */
const mostUnfinished = 256 * 1024 * 1024

/**
 * How a server reads the bodies of its requests up to the limits of their routes: one Buffer, or Buffer[] where the route wants
 * pieces. Rejects with Fastify's own errors, and with server.unavailable where too much of others has been begun.
 */
export function bodyReader(most = mostUnfinished) {
  const unfinished = { bytes: 0 }
  return async (request: FastifyRequest, payload: IncomingMessage): Promise<Buffer | Buffer[]> => {
    const { bodyLimit, config } = request.routeOptions
    const announced = Number(request.headers['content-length'])
    if (announced > bodyLimit!) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
    const pieces = await collect(payload, bodyLimit!, { unfinished, most })
    const received = pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (!Number.isNaN(announced) && received !== announced) throw new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH()
    if (config.inPieces) return pieces
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, received)
  }
}

/** What has come of all bodies that are not whole, and how much that may be. */
interface Beside {
  unfinished: { bytes: number }
  most: number
}

function letOthersBeRead(payload: IncomingMessage) {
  payload.pause()
  setImmediate(() => payload.resume())
}

function collect(payload: IncomingMessage, limit: number, { unfinished, most }: Beside): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let received = 0
    const stop = () => {
      unfinished.bytes -= received
      payload.off('data', take).off('end', finish).off('error', fail)
    }
    const take = (piece: Buffer) => {
      received += piece.length
      unfinished.bytes += piece.length
      if (received > limit) return fail(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
      pieces.push(piece)
      if (pieces.length === 1) return
      if (unfinished.bytes > most) return fail(tooMuch())
      // One piece a turn: a socket that has millions of bytes ready would have them all read before anybody else's request.
      letOthersBeRead(payload)
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

const tooMuch = () =>
  new Problem('server.unavailable', 'Too many large bodies are on their way; try again shortly.', {
    headers: { 'retry-after': '1' },
  })
