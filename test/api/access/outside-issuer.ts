import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll } from 'vitest'

/** An outside OpenID issuer, as far as tokens and keys go. */
export interface OutsideIssuer {
  url: string
  jwksUri: string
  /** How often its keys were asked for. */
  asked: number
  /** What it answers instead of its keys. */
  answerInstead: { status: number; body: string; location?: string } | undefined
  /** A token of its, for the audience `acme-app` and good for five minutes unless the claims say otherwise. */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>
  /** From now on it signs with another key, under another id. */
  rotate(): Promise<void>
}

/** Serves an outside issuer at a loopback address for the tests of the block it is called in. */
export function serveIssuer(): OutsideIssuer {
  const keys: { kid: string; pair: Awaited<ReturnType<typeof generateKeyPair>> }[] = []
  const issuer = {
    asked: 0,
    answerInstead: undefined,
    async rotate() {
      keys.push({ kid: `key-${keys.length}`, pair: await generateKeyPair('RS256') })
    },
    sign(claims, header = {}) {
      const { kid, pair } = keys.at(-1)!
      const now = Math.floor(Date.now() / 1000)
      const usual = { iss: issuer.url, aud: 'acme-app', iat: now, exp: now + 300 }
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid, ...header })
        .sign(pair.privateKey)
    },
  } as OutsideIssuer
  const server = createServer(async (_request, response) => {
    issuer.asked++
    const { answerInstead: other } = issuer
    if (other) {
      response.writeHead(other.status, other.location === undefined ? {} : { location: other.location }).end(other.body)
      return
    }
    const published = keys.map(async ({ kid, pair }) => ({ ...(await exportJWK(pair.publicKey)), kid, alg: 'RS256' }))
    response.end(JSON.stringify({ keys: await Promise.all(published) }))
  })
  beforeAll(async () => {
    await issuer.rotate()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    issuer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    issuer.jwksUri = `${issuer.url}/keys`
  })
  afterAll(() => void server.close())
  return issuer
}
