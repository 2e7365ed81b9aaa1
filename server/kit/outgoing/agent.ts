import { Agent, buildConnector } from 'undici'
import { isPublicAddress } from '../public-address.ts'
import type { OutgoingLimits } from './exchange.ts'
import { checkedLookup, type Resolve, resolveHere, resolvePublicly } from './lookup.ts'

/**
 * The connections to other servers: as many to each as there are requests at once, kept alive for a while, HTTP/1.1 alone, no
 * proxy, certificates always verified. How long a request takes is for whoever makes it to watch, but for the connecting.
 */
export function openAgent(allowsPrivate: boolean, { totalMillis }: OutgoingLimits, resolve?: Resolve): Agent {
  const connect = buildConnector({
    allowH2: false,
    timeout: totalMillis,
    rejectUnauthorized: true,
    lookup: checkedLookup(
      resolve ?? (allowsPrivate ? resolveHere : resolvePublicly),
      allowsPrivate ? () => true : isPublicAddress,
    ),
  })
  return new Agent({ connections: null, connect, maxHeaderSize: 16_384, headersTimeout: 0, bodyTimeout: 0 })
}
