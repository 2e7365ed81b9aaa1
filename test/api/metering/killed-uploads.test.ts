import { expect, test } from 'vitest'
import { startTestServer } from '../../support/server.ts'
import { originOf, serverProcesses } from '../../support/server-processes.ts'
import { forEachStore } from '../../support/stores.ts'
import { metersOf, tier } from './metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>
const batchSize = 25
const batches = Array.from({ length: 20 }, (_, batch) =>
  Array.from({ length: batchSize }, (_, at) => ({
    transactionId: batch * batchSize + at,
    eventName: 'UsageReported',
    eventData: '{"metricName":"calls","amount":0.1}',
    creationDateTime: new Date().toISOString(),
  })),
)

forEachStore((store) => {
  const start = serverProcesses()

  test.runIf(store.kind === 'sqlite')(
    'a server that is killed amid uploads has what it acknowledged, and all of it once when all is sent again',
    async () => {
      const furnished = await startTestServer(store, { publicUrl: 'http://licet.example' })
      const meters = metersOf(furnished)
      const { token, session } = await meters.newLicense({
        calls: { meteredUsage: { usageTiers: [tier(0, 1, 'None'), tier(1, 2, 'Deny')] } },
      })
      await furnished.close()

      const uploadTo = async (origin: string, records: Json): Promise<Json> => {
        const answer = await fetch(`${origin}/t/acme/api/v1/provision/usage/sessions/${session.id}/transactions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(records),
        })
        if (answer.status !== 200) throw new Error(await answer.text())
        return answer.json()
      }

      const killed = start(furnished.databaseUrl)
      const origin = await originOf(killed)
      const acknowledged = new Set<number>()
      const upload = async (batch: Json, at: number) => {
        await uploadTo(origin, batch)
        acknowledged.add(at)
        if (acknowledged.size === 6) killed.kill('SIGKILL')
      }
      await Promise.allSettled(batches.map(upload))
      expect(acknowledged.size).toBeGreaterThanOrEqual(6)
      expect(acknowledged.size).toBeLessThan(batches.length)

      const again = await originOf(start(furnished.databaseUrl))
      const check = async (batch: Json, at: number) => {
        const { processed, duplicates, rejected } = await uploadTo(again, batch)
        const whole = [[0, batchSize], ...(acknowledged.has(at) ? [] : [[batchSize, 0]])]
        expect(whole).toContainEqual([processed, duplicates])
        expect(rejected).toEqual([])
      }
      await Promise.all(batches.map(check))
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`${again}/t/acme/api/v1/provision/usage/${session.id}/calls/usage`, { headers })
      expect(await answer.json()).toMatchObject({ usage: 50 })
      expect(await uploadTo(again, [])).toMatchObject({ acknowledgedTransactionId: 499 })
    },
  )
})
