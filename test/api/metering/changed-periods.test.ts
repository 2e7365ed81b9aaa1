import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { metersOf, tier } from './metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const meters = metersOf(server, 'sandbox')
  const { admin, devices } = meters

  /** An entitlement to a metric that says nothing of how it counts, and two plans of which the first has a limit. */
  const sell = async (metric: string) => {
    const { id, products } = await meters.newEntitlement({ [metric]: {} })
    const [{ id: productId }] = products
    const featureValues = [{ featureCode: metric.toUpperCase(), value: '10' }]
    const plans = [
      { name: 'Limited', lineItems: [{ productId, featureValues }] },
      { name: 'Other', lineItems: [] },
    ]
    const { id: planSetId } = await admin('usage-plans/plan-sets', { productId, name: metric, plans })
    const apply = (planName: string) => admin(`entitlements/${id}/apply-plan`, { planSetId, planName })
    return { apply, license: await meters.newSession(id) }
  }
  const reported = async (metric: string, window: string): Promise<number[]> => {
    const { metrics } = await devices.get(`admin/reports/usage${window}`)
    return metrics.filter(({ metricName }: Json) => metricName === metric).map(({ usage }: Json) => usage)
  }
  const windowIn = (year: number, month: number) =>
    `?from=${new Date(Date.UTC(year, month)).toISOString()}&to=${new Date(Date.UTC(year, month + 1)).toISOString()}`

  test('a limit that was taken away and is back finds what was used meanwhile, which is no other month’s', async () => {
    await devices.advance({ to: '2031-01-15T00:00:00Z' })
    const { apply, license } = await sell('gone')
    await apply('Limited')
    expect(await meters.consume(license, 'gone', 3)).toMatchObject({ allowed: true })
    await apply('Other')
    await meters.consume(license, 'gone', 4)
    await apply('Limited')
    expect(await meters.usage(license, 'gone')).toMatchObject({ usage: 7, periodStart: '2031-01-01T00:00:00.000Z' })
    await apply('Other')
    await devices.advance({ to: '2031-06-10T00:00:00Z' })
    await meters.consume(license, 'gone', 50)
    expect(await meters.usage(license, 'gone')).toMatchObject({ usage: 57, limit: null, periodStart: null })
    expect([await reported('gone', windowIn(2031, 0)), await reported('gone', '')]).toEqual([[], [57]])
    await apply('Limited')
    expect(await meters.consume(license, 'gone', 1)).toMatchObject({ allowed: false, usage: 57, limit: 10 })
    expect([await reported('gone', windowIn(2031, 0)), await reported('gone', windowIn(2031, 5))]).toEqual([[], [57]])
    await devices.advance({ to: '2031-07-01T00:00:00Z' })
    expect(await meters.consume(license, 'gone', 1)).toMatchObject({ allowed: true, usage: 1 })
  })

  test('what was put aside by shorter periods stays, and what is dated within the longer one counts in that', async () => {
    const product = await admin('products', {
      ...{ productCode: 'LONGER', name: 'Longer' },
      features: [{ featureCode: 'Q', name: 'Q', featureType: 'Metered', usageMetric: 'q' }],
    })
    const values = ['20', '25'].map((value) => [
      { productId: product.id, featureValues: [{ featureCode: 'Q', value }] },
    ])
    const plans = values.map((lineItems, index) => ({ name: `Plan ${index}`, lineItems }))
    const set = await admin('usage-plans/plan-sets', { productId: product.id, name: 'Longer', plans })
    const { id } = await devices.newEntitlement({
      products: [{ productId: product.id }],
      licensePolicy: { leaseTime: 'P400D' },
    })
    const apply = (planName: string) => admin(`entitlements/${id}/apply-plan`, { planSetId: set.id, planName })
    await devices.advance({ to: '2032-01-20T00:00:00Z' })
    const license = await meters.newSession(id)
    await apply('Plan 0')
    await meters.consume(license, 'q', 2)
    await devices.advance({ to: '2032-06-10T00:00:00Z' })
    await meters.consume(license, 'q', 5)
    await admin('monitored-assets', {
      ...{ productId: product.id, metricName: 'q', name: 'q', allowedBackDatingTolerance: 'P40D' },
      meteredUsage: { consumptionPeriod: 'Yearly', usageTiers: [tier(0, 20, 'None')] },
    })
    await apply('Plan 1')
    const record = { transactionId: '1', apiVersion: '1', eventName: 'UsageReported' }
    const eventData = { metricName: 'q', amount: 12, occurredAt: '2032-05-20T00:00:00Z' }
    const sent = await meters.runtime('POST', `sessions/${license.session.id}/transactions`, license.token, {
      body: [{ ...record, creationDateTime: '2032-06-10T00:00:00Z', eventData: JSON.stringify(eventData) }],
    })
    expect(sent.body).toMatchObject({ processed: 1 })
    const year = { periodStart: '2032-01-01T00:00:00.000Z', periodEnd: '2033-01-01T00:00:00.000Z' }
    expect(await meters.usage(license, 'q')).toMatchObject({ usage: 17, limit: 25, ...year })
    expect(await meters.consume(license, 'q', 10)).toMatchObject({ allowed: false })
    expect(await reported('q', '?from=2032-06-01T00:00:00Z')).toEqual([17])
    await devices.advance({ to: '2033-02-01T00:00:00Z' })
    expect(await meters.consume(license, 'q', 1)).toMatchObject({ allowed: true, usage: 1 })
    expect([await reported('q', windowIn(2032, 0)), await reported('q', windowIn(2032, 5))]).toEqual([[2], [17]])
  })

  test('what is uploaded late of a longer period that began as a shorter one is priced after what that has counted', async () => {
    const product = await admin('products', {
      ...{ productCode: 'LATER', name: 'Later' },
      features: [{ featureCode: 'L', name: 'L', featureType: 'Metered', usageMetric: 'l' }],
    })
    await admin('monitored-assets', {
      ...{ productId: product.id, metricName: 'money', name: 'money' },
      balanceUsage: { initialCreditAmount: 100 },
    })
    const paid = { fundingBalanceMetric: 'money', creditsPerUnitOfConsumption: 1 }
    const usageTiers = [tier(0, 20, 'None'), tier(20, null, 'AllowWithOverage', paid)]
    const featureValues = [{ featureCode: 'L', enforcementType: 'TieredAbsolute', usageTiers }]
    const lineItems = [{ productId: product.id, featureValues }]
    const plans = ['Plan', 'Same plan'].map((name) => ({ name, lineItems }))
    const set = await admin('usage-plans/plan-sets', { productId: product.id, name: 'Later', plans })
    const { id } = await devices.newEntitlement({
      products: [{ productId: product.id }],
      licensePolicy: { leaseTime: 'P400D' },
    })
    const apply = (planName: string) => admin(`entitlements/${id}/apply-plan`, { planSetId: set.id, planName })
    await devices.advance({ to: '2034-01-20T00:00:00Z' })
    const license = await meters.newSession(id)
    await apply('Plan')
    await meters.consume(license, 'l', 2)
    await devices.advance({ to: '2034-06-10T00:00:00Z' })
    await meters.consume(license, 'l', 15)
    await admin('monitored-assets', {
      ...{ productId: product.id, metricName: 'l', name: 'l' },
      meteredUsage: { consumptionPeriod: 'Yearly' },
    })
    await apply('Same plan')
    await meters.consume(license, 'l', 5)
    await devices.advance({ to: '2035-01-02T00:00:00Z' })
    const record = { apiVersion: '1', eventName: 'UsageReported', creationDateTime: '2034-12-31T00:00:00Z' }
    const eventData = JSON.stringify({ metricName: 'l', amount: 3 })
    const send = (...ids: string[]) =>
      meters.runtime('POST', `sessions/${license.session.id}/transactions`, license.token, {
        body: ids.map((transactionId) => ({ ...record, transactionId, eventData })),
      })
    expect((await send('1', '2')).body).toMatchObject({ processed: 2 })
    expect((await send('3')).body).toMatchObject({ processed: 1 })
    expect(await meters.consumption(license, 'money')).toMatchObject({ remaining: 91 })
    expect([await reported('l', windowIn(2034, 0)), await reported('l', windowIn(2034, 5))]).toEqual([[2], [29]])
  })
})
