import { afterAll, expect, test } from 'vitest'
import { startServer } from '../../../server/app.ts'
import { originOf, serverProcesses } from '../../support/server-processes.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { databaseBeside } from '../entitlements/coded-entitlements.ts'
import { keptConnections } from './kept-connections.ts'
import { metersOf, tier } from './metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>
const publicUrl = 'http://licet.example'
const keys = Array.from({ length: 600 }, (_, at) => `key-${at}`)
const allowedOf = (decisions: Iterable<Json>) => [...decisions].filter(({ allowed }) => allowed).length

// Seen to fail on both stores, though not in every run, when answers are sent 20 ms before the commit, and when decisions
// are committed 20 ms after the usage that they count.
forEachStore((store) => {
  const server = serveTests(store, { publicUrl })
  const beside = databaseBeside(server)
  const meters = metersOf(server)
  const start = serverProcesses()
  const { ask, close } = keptConnections()
  afterAll(close)

  test('a server that is killed amid consumption has consumed what it acknowledged, and the rest once when it is asked again', async () => {
    const license = await meters.newLicense({
      calls: {
        meteredUsage: {
          usageTiers: [
            tier(0, 50, 'None'),
            tier(50, 450, 'AllowWithOverage', { fundingBalanceMetric: 'credits', creditsPerUnitOfConsumption: 1 }),
            tier(450, null, 'Deny'),
          ],
        },
      },
      credits: { balanceUsage: { initialCreditAmount: 1000 } },
    })
    const callAt = async (origin: string, method: string, path: string): Promise<Json> => {
      const answer = await ask(method, `${origin}/t/acme/api/v1/provision/usage/${path}`, license.token)
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
      return answer.body
    }
    const consumeAt = (origin: string, key: string) =>
      callAt(origin, 'POST', `try-consume/${license.session.id}/calls?amount=1&idempotentKey=${key}`)
    const readAt = async (origin: string) => {
      const { usage } = await callAt(origin, 'GET', `${license.session.id}/calls/usage`)
      const { creditsUsed } = await callAt(origin, 'GET', `${license.session.id}/credits/consumption`)
      return { usage, creditsUsed }
    }

    const killed = start(server.databaseUrl)
    const origin = await originOf(killed)
    const acknowledged = new Map<string, Json>()
    const ends = await Promise.allSettled(
      keys.map(async (key) => {
        acknowledged.set(key, await consumeAt(origin, key))
        // Not at once: those that were just answered have yet to ask anew, and the server has nothing at hand.
        if (acknowledged.size === 100) setTimeout(() => killed.kill('SIGKILL'), 30 * Math.random())
      }),
    )
    for (const end of ends) if (end.status === 'rejected') expect(end.reason.code).toMatch(/^ECONN|^EPIPE$/)
    expect(acknowledged.size).toBeGreaterThanOrEqual(100)
    expect(acknowledged.size).toBeLessThan(keys.length)

    const again = await startServer({
      ...{ databaseUrl: server.databaseUrl, publicUrl, host: '127.0.0.1', port: 0, logLevel: 'silent' },
    })
    try {
      const rows = await beside.open.read
        .selectFrom('usage_decisions')
        .select('answer')
        .where('lookup', 'like', `${license.entitlementId} %`)
        .execute()
      const allowed = allowedOf(rows.map(({ answer }) => JSON.parse(answer)))
      expect(allowed).toBeGreaterThanOrEqual(allowedOf(acknowledged.values()))
      expect(await readAt(again.url)).toEqual({ usage: allowed, creditsUsed: Math.max(0, allowed - 50) })

      const retried = await Promise.all(keys.map(async (key) => [key, await consumeAt(again.url, key)] as const))
      for (const [key, decision] of retried)
        if (acknowledged.has(key)) expect(decision).toEqual({ ...acknowledged.get(key), replayed: true })
      expect(retried.filter(([, { replayed }]) => replayed)).toHaveLength(rows.length)
      expect(allowedOf(retried.map(([, decision]) => decision))).toBe(450)
      expect(await readAt(again.url)).toEqual({ usage: 450, creditsUsed: 400 })
    } finally {
      await again.close()
    }
  })
})
