import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must } from '../catalog/catalog-collection.ts'
import { databaseBeside } from '../entitlements/coded-entitlements.ts'
import { metersOf, tier } from '../metering/metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>

const ajv = formats.default(new Ajv2020({ allErrors: true, allowUnionTypes: true }))

forEachStore((store) => {
  const server = serveTests(store)
  const beside = databaseBeside(server)
  const meters = metersOf(server, 'sandbox')
  const { devices } = meters

  const eventsOfSandbox = () =>
    beside.open.read
      .selectFrom('events')
      .selectAll()
      .where('tenant_id', '=', server.tenantIds.sandbox)
      .orderBy('id')
      .execute()

  /** An entitlement through all that is told of one today. */
  async function liveThrough(): Promise<void> {
    const { id, products } = await meters.newEntitlement(
      {
        calls: {
          meteredUsage: { usageTiers: [tier(0, 10, 'None'), tier(10, null, 'None', { quotaUsageLevel: 'OverUsage' })] },
        },
        credits: {
          balanceUsage: {
            initialCreditAmount: 100,
            usageQuota: [{ endUsage: 50, name: 'Low', quotaUsageLevel: 'Warning' }],
          },
        },
      },
      {
        ...{ isEntitlementTrial: true, trialPolicy: { enabled: true, duration: 'P14D', startsOn: 'Creation' } },
        renewalPolicy: { period: 'Monthly' },
      },
    )
    const license = await meters.newSession(id)
    for (const amount of [5, 6]) await meters.consume(license, 'calls', amount)
    for (const amount of [1, 60]) await meters.consume(license, 'credits', amount)
    await must(
      devices.at('POST', `operational/entitlements/${id}/balances/credits/deposit`, {
        body: '{"amount":9007199254740993.000000001}',
      }),
    )
    const set = await devices.post('admin/usage-plans/plan-sets', {
      name: 'Plans',
      productId: products[0].id,
      plans: [{ name: 'Pro', lineItems: [] }],
    })
    await devices.post(`admin/usage-plans/plan-sets/${set.id}/publish`)
    await devices.post(`admin/entitlements/${id}/apply-plan`, { planSetId: set.id, planName: 'Pro' })
    await devices.advance('P8D')
    await devices.post(`admin/entitlements/${id}/renew`)
    await devices.advance('P25D')
    await devices.post(`admin/entitlements/${id}/cancel`)
  }

  test('whatever is recorded is as the listing of types says, which anyone may read', async () => {
    await liveThrough()
    const { eventTypes } = await must(server.api('GET', '/api/v1/webhooks/schemas', { tenant: 'sandbox', token: null }))
    const listed = new Map<string, Json>(eventTypes.map((one: Json) => [one.type, one]))
    const events = await eventsOfSandbox()
    for (const event of events) {
      const { entityKind, eventVersion, dataSchema } = listed.get(event.type)
      expect([event.entity_kind, event.event_version]).toEqual([entityKind, eventVersion])
      const data = JSON.parse(event.data)
      expect([event.type, ajv.validate(dataSchema, data) ? [] : ajv.errors]).toEqual([event.type, []])
      const unlisted = Object.keys(data).filter((name) => !(name in dataSchema.properties))
      expect([event.type, unlisted]).toEqual([event.type, []])
    }
    expect([...new Set(events.map(({ type }) => type))].sort()).toEqual([
      'CreditBalance.StatusChanged',
      'Entitlement.Activated',
      'Entitlement.Cancelled',
      'Entitlement.Expiring',
      'Entitlement.PlanApplied',
      'Entitlement.Renewed',
      'Entitlement.TrialExpiring',
      'MeteredUsage.OverageStatusChanged',
    ])
  })
})
