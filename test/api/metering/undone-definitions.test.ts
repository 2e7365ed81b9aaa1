import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { metersOf, tier } from './metered-sales.ts'

forEachStore((store) => {
  const server = serveTests(store)
  const meters = metersOf(server)

  test.runIf(store.kind === 'postgres')(
    'what a plan that was cut off would have had counted is forgotten',
    async () => {
      const entitlement = await meters.newEntitlement({
        calls: { meteredUsage: { usageTiers: [tier(0, 100, 'None')] } },
      })
      const [{ id: productId }] = entitlement.products
      const plans = [1000, 5].map((value) => ({
        name: `Up to ${value}`,
        lineItems: [{ productId, featureValues: [{ featureCode: 'CALLS', value: String(value) }] }],
      }))
      const { id: planSetId } = await meters.admin('usage-plans/plan-sets', { productId, name: 'Limits', plans })
      const license = await meters.newSession(entitlement.id)
      const apply = (planName: string) =>
        meters.devices.at('POST', `admin/entitlements/${entitlement.id}/apply-plan`, { body: { planSetId, planName } })

      const other = new Client({ connectionString: server.databaseUrl })
      await other.connect()
      onTestFinished(() => other.end())
      await other.query('begin; lock table events in exclusive mode')
      let isAnswered = false
      const cutOff = apply('Up to 1000').finally(() => {
        isAnswered = true
      })
      const waiting = `select pg_terminate_backend(pid) from pg_stat_activity
where datname = current_database() and wait_event_type = 'Lock'`
      // Others may wait for the same, such as whoever hands events on.
      for (; !isAnswered; await sleep(20)) await other.query(waiting)
      expect((await cutOff).status).toBe(503)
      await other.query('rollback')

      expect((await apply('Up to 5')).status).toBe(200)
      expect(await meters.usage(license, 'calls')).toMatchObject({ limit: 5 })
      expect(await meters.consume(license, 'calls', 6)).toMatchObject({ allowed: false, limit: 5 })
    },
  )
})
