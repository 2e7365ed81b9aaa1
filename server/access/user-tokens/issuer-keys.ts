import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { createRemoteJWKSet, customFetch, type FetchImplementation } from 'jose'
import { FailureLimit } from '../../kit/failure-limit.ts'
import { isPublicAddress } from '../../kit/public-address.ts'
import { RecentlyUsed } from '../../kit/recently-used.ts'
import { explainKeyUri } from '../settings/trusted-issuers.ts'

type KeySet = ReturnType<typeof createRemoteJWKSet>

const timeoutMillis = 3000
const mostBytes = 65_536
/** How long after a failure keys are not asked for again. */
const pauseMillis = 10_000

const mostKeySets = 1000
const keySets = new RecentlyUsed<KeySet>(mostKeySets)
/** How often keys are asked for: a key that is new is known at once, and many that are none cost no more than this. */
const asked = new FailureLimit(5, 30_000, mostKeySets)

/** Keys are not fetched from where a URI leads; the message says why, and nothing of the URI. */
export class RefusedKeyUri extends Error {}

/**
 * The public keys at a URI: fetched when first needed, again after ten minutes, and at once for an unknown key, but at most
 * five times in half a minute. `isLocal` where the service is on somebody's own machine alone, and so may its issuers be.
 */
export function keysAt(jwksUri: string, isLocal: boolean): KeySet {
  const name = `${isLocal} ${jwksUri}`
  const known = keySets.get(name)
  if (known) return known
  const keys = createRemoteJWKSet(new URL(jwksUri), {
    timeoutDuration: timeoutMillis,
    cooldownDuration: 0,
    cacheMaxAge: 600_000,
    [customFetch]: pausing(name, (url, signal) => fetchJson(url, isLocal, signal)),
  })
  keySets.set(name, keys)
  return keys
}

/** Asks no more for a while after a failure, so that tokens of an issuer that is away cost nothing, or when it has asked often; keys known by then go on. */
function pausing(name: string, fetchNow: (url: URL, signal: AbortSignal) => Promise<unknown>): FetchImplementation {
  let failedAt = Number.NEGATIVE_INFINITY
  return async (url, { signal }) => {
    const now = performance.now()
    if (now - failedAt < pauseMillis) throw new Error('the keys could not be had a moment ago')
    if (!asked.record(name, now)) throw new Error('the keys were asked for a few times a moment ago')
    try {
      const keys = (await fetchNow(new URL(url), signal)) as { keys?: unknown }
      if (!Array.isArray(keys.keys)) throw new Error('what was answered is no set of keys')
      return Response.json(keys)
    } catch (error) {
      failedAt = performance.now()
      throw error
    }
  }
}

/** The JSON that a GET answers with, of at most 64 KiB and without following a redirect; only of an address that keys are fetched from. */
async function fetchJson(url: URL, isLocal: boolean, signal: AbortSignal): Promise<unknown> {
  const refusal = explainKeyUri(url.href, isLocal)
  if (refusal !== undefined) throw new RefusedKeyUri(`the URI of the keys ${refusal}`)
  // Imported when needed: node:https makes the start of the server slower.
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'))
  const text = await new Promise<string>((resolve, reject) => {
    const options = { signal, agent: false, headers: { accept: 'application/json, application/jwk-set+json' } }
    const asked = request(url, isLocal ? options : { ...options, lookup: lookUpPublicly }, (answer) => {
      const parts: Buffer[] = []
      let length = 0
      answer.on('data', (part: Buffer) => {
        parts.push(part)
        length += part.length
        if (length > mostBytes) asked.destroy(new Error('the keys are over the limit of 64 KiB'))
      })
      answer.on('end', () =>
        answer.statusCode === 200
          ? resolve(Buffer.concat(parts).toString())
          : reject(new Error(`the keys were answered with ${answer.statusCode}`)),
      )
      answer.on('error', reject)
    })
    asked.on('error', reject)
    asked.end()
  })
  return JSON.parse(text)
}

/** Finds the addresses of a name, refusing one that leads to any that is not public. */
const lookUpPublicly: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '')
    if (!addresses.every(({ address }) => isPublicAddress(address)))
      return callback(new RefusedKeyUri('the URI of the keys leads to an address that is not public'), '')
    if (options.all) return callback(null, addresses)
    return callback(null, addresses[0]!.address, addresses[0]!.family)
  })
