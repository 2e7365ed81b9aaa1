import type { Agent } from 'undici'
import type { Outgoing } from './outgoing.ts'

/** Opens the one way out. */
export function openOutgoing(allowsPrivate: boolean): Outgoing {
  let agent: Agent | undefined
  return {
    allowsPrivate,
    async post({ url, headers, body, signal }) {
      const started = performance.now()
      const millis = () => Math.round(performance.now() - started)
      try {
        // Imported when needed: it makes the start of the server slower.
        const undici = await import('undici')
        agent ??= new undici.Agent({ connections: null })
        const answer = await undici.request(url, {
          method: 'POST',
          headers,
          body,
          dispatcher: agent,
          ...(signal ? { signal } : {}),
        })
        const bytes = Buffer.from(await answer.body.arrayBuffer())
        return { status: answer.statusCode, headers: answer.headers, body: bytes, isCut: false, millis: millis() }
      } catch {
        return { failure: 'the connection failed', millis: millis() }
      }
    },
    async close() {
      await agent?.destroy()
    },
  }
}
