import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keyOfSecret, sign } from '../../../server/webhooks/signing/signature.ts'
import { newSecret } from '../../../server/webhooks/subscriptions/new-secret.ts'

/** A request that an endpoint got, and when. */
export interface Received {
  headers: IncomingHttpHeaders
  body: Buffer
  at: number
}

/** How a request is answered: with a status, or by hand. */
export type Answering = number | ((received: Received, reply: ServerResponse) => void)

export interface Receiver {
  url: string
  /** What its subscription is to be made with. */
  secret: string
  /** The events that it got, its challenges apart. */
  received: Received[]
  challenges: Received[]
  /** How the next events are answered; 204 unless told. */
  answer: Answering
  /** How the next challenges are answered: so that they are passed, unless told. */
  meet: Answering
  close(): Promise<void>
}

/** An endpoint on this machine that keeps what it gets. */
export async function openReceiver(secret = newSecret()): Promise<Receiver> {
  const receiver: Receiver = {
    ...{ url: '', secret, received: [], challenges: [], answer: 204 },
    meet: passWith(secret),
    close: () => closed(server),
  }
  const server = createServer(async (request, reply) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const received = { headers: request.headers, body: Buffer.concat(parts), at: Date.now() }
    const isChallenge = request.headers['webhook-event-type'] === 'Webhooks.Registration.Challenge'
    const [kept, answer] = isChallenge ? [receiver.challenges, receiver.meet] : [receiver.received, receiver.answer]
    kept.push(received)
    if (typeof answer === 'number') reply.writeHead(answer).end()
    else answer(received, reply)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return receiver
}

/** Answers a challenge as the interface says: echoed, and signed with this secret. */
export const passWith =
  (secret: string): Answering =>
  ({ headers, body }, reply) => {
    const answer = Buffer.from(JSON.stringify({ challenge: JSON.parse(body.toString()).data.challenge }))
    const signature = sign(
      keyOfSecret(secret),
      String(headers['webhook-id']),
      String(headers['webhook-timestamp']),
      answer,
    )
    reply.writeHead(200, { 'content-type': 'application/json', 'webhook-signature': signature }).end(answer)
  }

const closed = (server: Server) =>
  new Promise<void>((done) => {
    server.close(() => done())
    server.closeAllConnections()
  })
