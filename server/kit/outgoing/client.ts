import { isIP } from 'node:net'
import type { Agent } from 'undici'
import { version } from '../../version.ts'
import { lazily } from '../lazily.ts'
import { isPublicAddress } from '../public-address.ts'
import { Exchange, type OutgoingLimits } from './exchange.ts'
import { notPublic } from './failures.ts'
import type { Resolve } from './lookup.ts'
import type { Outgoing } from './outgoing.ts'

/** 30 seconds and 64 KiB. */
const usualLimits: OutgoingLimits = { totalMillis: 30_000, bodyBytes: 65_536 }

/** What is otherwise in tests: shorter limits, and names that lead where they say. */
interface OutgoingOptions {
  limits?: OutgoingLimits
  resolve?: Resolve
}

/** Opens the one way out. */
export function openOutgoing(
  allowsPrivate: boolean,
  { limits = usualLimits, resolve }: OutgoingOptions = {},
): Outgoing {
  let agent: Agent | undefined
  let isClosed = false

  // Imported when needed: it makes the start of the server slower.
  const opening = lazily(async () => {
    const { openAgent } = await import('./agent.ts')
    agent = openAgent(allowsPrivate, limits, resolve)
    return agent
  })

  return {
    allowsPrivate,
    post({ url, headers, body, signal }) {
      return new Promise((settle) => {
        const exchange = new Exchange(limits, signal, settle)
        const target = readTarget(url, allowsPrivate)
        if (isClosed) return exchange.fail('the server is going down')
        if (typeof target === 'string') return exchange.fail(target)
        if (signal?.aborted) return exchange.handleEvent()
        const request = {
          origin: target.origin,
          path: target.pathname + target.search,
          method: 'POST',
          headers: { ...headers, 'user-agent': userAgent },
          body,
        }
        if (agent) return void agent.dispatch(request, exchange)
        opening.get().then(
          (opened) => exchange.isOver || opened.dispatch(request, exchange),
          () => exchange.fail('the connection failed'),
        )
      })
    },
    async close() {
      isClosed = true
      await (await opening.held())?.destroy()
    },
  }
}

const userAgent = `licet/${version}`

/** Where a request goes, or why it may not go there. A name's addresses are looked at when it is connected to. */
function readTarget(url: string, allowsPrivate: boolean): URL | string {
  const target = URL.parse(url)
  if (target === null) return 'the URL is malformed'
  if (target.protocol !== 'https:' && !(allowsPrivate && target.protocol === 'http:')) return 'only https will do'
  if (allowsPrivate) return target
  const host = target.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 || isPublicAddress(host) ? target : notPublic
}
