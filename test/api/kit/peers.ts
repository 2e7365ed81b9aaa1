import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'

/** Somebody at the other end of a TCP connection, who may say anything. */
export interface Peer {
  port: number
  /** Everything heard on each connection, in the order in which they came. */
  heard: string[]
  sockets: Socket[]
}

/** Listens on a loopback port until the test is over; `speak` is called whenever a request is whole, its body being a JSON object. */
export async function listen(speak: (socket: Socket, connection: number) => void, tls?: TlsOptions): Promise<Peer> {
  const peer: Peer = { port: 0, heard: [], sockets: [] }
  const welcome = (socket: Socket) => {
    const connection = peer.heard.push('') - 1
    socket.on('error', () => undefined)
    socket.on('data', (piece) => {
      peer.heard[connection] += piece.toString('latin1')
      if (peer.heard[connection]!.endsWith('}')) speak(socket, connection)
    })
  }
  const server = tls ? createTlsServer(tls, welcome) : createServer(welcome)
  server.on('connection', (socket: Socket) => peer.sockets.push(socket.on('error', () => undefined)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of peer.sockets) socket.destroy()
    server.close()
  })
  peer.port = (server.address() as AddressInfo).port
  return peer
}

/** An answer as it stands on the wire. */
export const answer = (status: number, body = '', headers: Record<string, string> = {}): string =>
  [
    `HTTP/1.1 ${status} Whatever`,
    `content-length: ${Buffer.byteLength(body, 'latin1')}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')
