import type { Reply } from '../../kit/outgoing/outgoing.ts'

/**
 * A reply without the token that its request carried: of what an endpoint mirrors back an excerpt is kept, and whoever reads
 * that is not to hold the token's scopes.
 */
export function withoutToken(reply: Reply, token: string): Reply {
  if ('failure' in reply || !reply.body.includes(token)) return reply
  // One character for each byte, so that whatever stands around the token stays as it is.
  return { ...reply, body: Buffer.from(reply.body.toString('latin1').replaceAll(token, '[withheld]'), 'latin1') }
}
