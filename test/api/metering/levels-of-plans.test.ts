import { expect, test } from 'vitest'
import { everyScope } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { databaseBeside } from '../entitlements/coded-entitlements.ts'
import { metersOf } from './metered-sales.ts'

const hour = 3_600_000

forEachStore((store) => {
  const server = serveTests(store)
  const beside = databaseBeside(server)
  const meters = metersOf(server, 'sandbox')

  test('the level that a plan brings is told of the moment at which it is applied, and of the period that is then', async () => {
    const always = (name: string, quotaUsageLevel: string) => [{ name, startUsage: 0, endUsage: null, quotaUsageLevel }]
    const entitlement = await meters.newEntitlement({
      calls: { meteredUsage: { consumptionPeriod: 'Daily', usageTiers: always('a', 'None') } },
    })
    const [{ id: productId }] = entitlement.products
    const featureValues = [{ featureCode: 'CALLS', usageTiers: always('p', 'Critical') }]
    const plans = [
      { name: 'Critical', lineItems: [{ productId, featureValues }] },
      { name: 'Plain', lineItems: [] },
    ]
    const { id: planSetId } = await meters.admin('usage-plans/plan-sets', { productId, name: 'Levels', plans })
    const license = await meters.newSession(entitlement.id)
    await meters.consume(license, 'calls', 3)
    const levels = async () => {
      const rows = await beside.open.read
        .selectFrom('events')
        .select(['occurred_at', 'data'])
        .where('type', '=', 'MeteredUsage.OverageStatusChanged')
        .orderBy('id')
        .execute()
      return rows.map(({ occurred_at, data }) => ({ at: occurred_at, ...JSON.parse(data) }))
    }
    for (const [planName, level] of [
      ['Critical', 'Critical'],
      ['Plain', 'None'],
    ]) {
      await meters.admin('test-clock/advance', { by: 'P3D' })
      server.tokens.sandbox = await server.tokenWith(everyScope, 'sandbox')
      const applied = await meters.admin(`entitlements/${entitlement.id}/apply-plan`, { planSetId, planName })
      const { periodStart, periodEnd } = await meters.usage(license, 'calls')
      const told = (await levels()).at(-1)
      expect(told).toMatchObject({ level, usage: 0, periodStart, periodEnd })
      expect(Math.abs(told.at - Date.parse(applied.updatedAt))).toBeLessThan(hour)
    }
  })
})
