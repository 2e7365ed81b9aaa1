import { beforeAll, expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, problemOf } from '../catalog/catalog-collection.ts'
import { metersOf, tier } from '../metering/metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>

const reports = ['revenue', 'feature-value', 'usage', 'activations', 'ratings', 'campaigns']

forEachStore((store) => {
  const server = serveTests(store)
  const meters = metersOf(server, 'sandbox')
  const { at, get, post, patch, newEntitlement, newCode, newDevice, say, advance } = meters.devices
  const report = (name: string): Promise<Json> => get(`admin/reports/${name}`)
  const csv = async (name: string) => {
    const answer = await server.api('GET', `/api/v1/provision/admin/reports/${name}`, { tenant: 'sandbox' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
    ])
    return answer.text.split('\r\n')
  }
  const instantNow = async (): Promise<string> => (await get('admin/test-clock')).now

  const made: Record<string, Json> = {}
  const licenses: Json[] = []

  beforeAll(async () => {
    const metered = (featureCode: string, usageMetric: string) => ({ featureCode, featureType: 'Metered', usageMetric })
    made.cad = await post('admin/products', {
      productCode: 'CAD',
      name: 'CAD',
      features: [{ featureCode: 'EXPORT', featureType: 'Boolean', value: 'true' }, metered('CALLS', 'calls')],
    })
    const productId = made.cad.id
    const tiers = [tier(0, 10, 'None'), tier(10, null, 'AllowWithOverage')]
    await post('admin/monitored-assets', {
      ...{ productId, metricName: 'calls', name: 'Calls', unit: 'call' },
      meteredUsage: { consumptionPeriod: 'Monthly', usageTiers: tiers },
    })
    made.credits = await post('admin/monitored-assets', {
      ...{ productId, metricName: 'credits', name: 'Credits' },
      balanceUsage: { initialCreditAmount: 50 },
    })
    const catalogue = (featureCode: string, more: object) =>
      post('admin/feature-catalog', { productId, featureCode, name: `The ${featureCode}`, ...more })
    made.export = await catalogue('EXPORT', { featureType: 'Boolean', valueScore: 2.5 })
    made.calls = await catalogue('CALLS', { featureType: 'Metered', metricName: 'calls', valueScore: 0.1 })
    await catalogue('UNUSED', { featureType: 'Boolean' })

    const plans = [
      { name: 'Pro', monthlyPrice: 49.9, currency: 'EUR', sortOrder: 1 },
      { name: '=Team', monthlyPrice: 10, currency: 'USD', sortOrder: 2 },
      { name: 'Free', monthlyPrice: 0, sortOrder: 3 },
      { name: 'Soon', sortOrder: 4 },
      { name: 'Nobody', monthlyPrice: 1000, currency: 'EUR', sortOrder: 5 },
    ]
    made.set = await post('admin/usage-plans/plan-sets', { productId, name: 'Standard', plans })
    await post(`admin/usage-plans/plan-sets/${made.set.id}/publish`)
    made.campaign = await post('admin/campaigns', { name: 'Spring, again', source: 'fair' })
    await post('admin/campaigns', { name: 'Autumn' })
  })

  const sell = async (planName: string | null, more: object = {}) => {
    const entitlement = await newEntitlement({
      ...{ products: [{ productId: made.cad.id }], licensePolicy: { leaseTime: 'P400D' } },
      ...more,
    })
    if (planName !== null)
      await post(`admin/entitlements/${entitlement.id}/apply-plan`, { planSetId: made.set.id, planName })
    return entitlement
  }

  test('the run rate is told by currency, product and plan, what is not priced apart', async () => {
    const campaignId = made.campaign.id
    for (let n = 0; n < 3; n++) made[`pro${n}`] = await sell('Pro', { campaignId })
    await post(`admin/entitlements/${made.pro2.id}/suspend`)
    await sell('Pro', { isEntitlementTrial: true, trialPolicy: { enabled: true }, campaignId })
    const cancelled = await sell('Pro', { campaignId })
    await post(`admin/entitlements/${cancelled.id}/cancel`)
    await sell('Pro', { status: 'Draft' })
    for (const planName of ['=Team', 'Free', 'Soon', 'Soon', null]) await sell(planName)
    const told = await report('revenue')
    expect(told.currencies).toEqual([
      { currency: 'EUR', entitlements: 3, monthlyRunRate: 149.7, yearlyRunRate: 1796.4 },
      { currency: 'USD', entitlements: 1, monthlyRunRate: 10, yearlyRunRate: 120 },
    ])
    expect(told.products.map((line: Json) => [line.productCode, line.suiteCode, line.currency])).toEqual([
      ['CAD', 'CAD', 'EUR'],
      ['CAD', 'CAD', 'USD'],
    ])
    const figures = (lines: Json[]) =>
      lines.map(({ planName, entitlements, trials, monthlyRunRate }) => [
        ...[planName, entitlements, trials, monthlyRunRate],
      ])
    expect(figures(told.plans)).toEqual([
      ['Pro', 3, 1, 149.7],
      ['=Team', 1, 0, 10],
      ['Free', 1, 0, 0],
    ])
    expect(figures(told.unpricedPlans)).toEqual([['Soon', 2, 0, null]])
    expect([told.withoutPlan, told.weightedPlans]).toEqual([1, []])

    const lines = await csv('revenue?format=csv')
    expect(lines[0]).toBe(
      'suiteCode,productId,productCode,productVersion,planSetId,planSetName,planName,pricingMode,currency,monthlyPrice,relativeWeight,entitlements,trials,monthlyRunRate,yearlyRunRate,share',
    )
    const set = `CAD,${made.cad.id},CAD,,${made.set.id},Standard`
    expect(lines.slice(1)).toEqual([
      `${set},Pro,Absolute,EUR,49.9,,3,1,149.7,1796.4,`,
      `${set},'=Team,Absolute,USD,10,,1,0,10,120,`,
      `${set},Free,Absolute,,0,,1,0,0,0,`,
      `${set},Soon,Absolute,,,,2,0,,,`,
      '',
    ])
  })

  test('another price revalues what is sold, and shares are of all weights', async () => {
    const { plans } = await get(`admin/usage-plans/plan-sets/${made.set.id}`)
    const raised = plans.map((plan: Json) => (plan.name === 'Pro' ? { ...plan, monthlyPrice: 60 } : plan))
    await patch(`admin/usage-plans/plan-sets/${made.set.id}`, { plans: raised })
    expect((await report('revenue')).currencies[0].monthlyRunRate).toBe(180)

    const other = await post('admin/products', { productCode: 'VIEW', productVersion: '2', name: 'View' })
    const weights = [
      { name: 'Basic', pricingMode: 'Relative', relativeWeight: 1 },
      { name: 'More', pricingMode: 'Relative', relativeWeight: 4.5 },
    ]
    const set = await post('admin/usage-plans/plan-sets', { productId: other.id, name: 'Weighed', plans: weights })
    await post(`admin/usage-plans/plan-sets/${set.id}/publish`)
    for (const planName of ['Basic', 'Basic', 'Basic', 'More', 'More']) {
      const { id } = await newEntitlement({ products: [{ productId: other.id }] })
      await post(`admin/entitlements/${id}/apply-plan`, { planSetId: set.id, planName })
    }
    const told = await report('revenue')
    expect(told.weightedPlans).toMatchObject([
      { suiteCode: 'VIEW@2', productVersion: '2', planName: 'Basic', share: 0.25, monthlyRunRate: null },
      { planName: 'More', share: 0.75 },
    ])
    expect(told.currencies).toHaveLength(2)
  })

  test('campaigns are told with what they led to, and what became of it', async () => {
    const { campaigns } = await report('campaigns')
    expect(campaigns).toMatchObject([
      { campaignName: 'Autumn', issued: 0, live: 0, trials: 0, firstIssuedAt: null, lastIssuedAt: null },
      { campaignName: 'Spring, again', source: 'fair', issued: 5, live: 3, trials: 1 },
    ])
    const [, { firstIssuedAt, lastIssuedAt }] = campaigns
    expect(Date.parse(firstIssuedAt)).toBeLessThan(Date.parse(lastIssuedAt))
    const before = await report(`campaigns?to=${firstIssuedAt}`)
    expect(before.campaigns.map(({ issued }: Json) => issued)).toEqual([0, 0])
    expect((await csv('campaigns?format=csv'))[2]).toMatch(/^[\w-]+,"Spring, again",fair,,,5,3,1,/)
  })

  test('usage and overage are summed over entitlements and periods, exactly', async () => {
    for (const name of ['pro0', 'pro1']) {
      const { activationCode } = await newCode(made[name].id)
      for (let n = 0; n < 2; n++) licenses.push(await newDevice(activationCode))
    }
    const [first, , second] = licenses
    await meters.consume(first, 'calls', 12.1)
    await meters.consume(second, 'calls', '0.2')
    await meters.consume(second, 'credits', 7.5)
    const before = await instantNow()
    await advance('P1M')
    await meters.consume(licenses[0], 'calls', 1)

    const { metrics } = await report('usage')
    expect(metrics.map(({ productId: _productId, ...line }: Json) => line)).toEqual([
      {
        ...{ productCode: 'CAD', productVersion: null, metricName: 'calls', kind: 'Metered', unit: 'call' },
        ...{ entitlements: 2, usage: 13.3, overage: 2.1 },
      },
      {
        ...{ productCode: 'CAD', productVersion: null, metricName: 'credits', kind: 'Balance', unit: null },
        ...{ entitlements: 1, usage: 7.5, overage: 0 },
      },
    ])
    const since = await report(`usage?from=${before}`)
    expect(since.from).toBe(before)
    expect(since.metrics.filter(({ usage }: Json) => usage > 0)).toMatchObject([{ metricName: 'calls', usage: 1 }])
    expect((await report(`usage?to=${before}`)).metrics).toMatchObject([
      { metricName: 'calls', usage: 12.3, overage: 2.1 },
      { metricName: 'credits', usage: 7.5 },
    ])
  })

  test('features are worth what they were used times their score, which another score revalues', async () => {
    const at = await instantNow()
    const used = (transactionId: number, featureCode: string) => ({
      ...{ transactionId, creationDateTime: at, eventName: 'FeatureUsed' },
      eventData: JSON.stringify({ featureCode }),
    })
    for (const { token, session } of licenses.slice(1, 3)) {
      const records = [used(1, 'EXPORT'), used(2, 'EXPORT'), used(3, 'NONE SUCH')]
      await must(meters.runtime('POST', `sessions/${session.id}/transactions`, token, { body: records }))
    }
    const features = async () =>
      (await report('feature-value')).features.map(({ featureCode, used, entitlements, value, share }: Json) => [
        ...[featureCode, used, entitlements, value, share],
      ])
    expect(await features()).toEqual([
      ['EXPORT', 4, 2, 10, 10 / 11.33],
      ['CALLS', 13.3, 2, 1.33, 1.33 / 11.33],
    ])
    await patch(`admin/feature-catalog/${made.calls.id}`, { valueScore: 1 })
    expect((await features())[0]).toEqual(['CALLS', 13.3, 2, 13.3, 13.3 / 23.3])
    expect((await report(`feature-value?to=${at}`)).features[1]).toMatchObject({ featureCode: 'EXPORT', used: 0 })
  })

  test('of a metric that was a balance and is metered now, both are its use', async () => {
    const ofMetric = { productId: made.cad.id, metricName: 'credits', name: 'Credits' }
    await must(at('DELETE', `admin/monitored-assets/${made.credits.id}`))
    await post('admin/monitored-assets', { ...ofMetric, meteredUsage: { usageTiers: [tier(0, null, 'None')] } })
    await post('admin/feature-catalog', { ...ofMetric, featureCode: 'CREDITS', featureType: 'Metered', valueScore: 1 })
    const { activationCode } = await newCode((await sell(null)).id)
    await meters.consume(await newDevice(activationCode), 'credits', 2)
    const { features } = await report('feature-value')
    expect(features.find(({ featureCode }: Json) => featureCode === 'CREDITS')).toMatchObject({
      used: 9.5,
      entitlements: 2,
    })
  })

  test('activations and seats are told over time', async () => {
    await must(say('release', licenses[0]))
    await advance('PT1S')
    const since = await instantNow()
    await post(`admin/sessions/activations/${licenses[1].session.id}/revoke`, { reason: 'lost' })
    const { intervals } = await report('activations?interval=Month')
    expect(intervals.reduce((sum: number, line: Json) => sum + line.activations, 0)).toBe(5)
    expect(intervals.at(-1)).toMatchObject({ released: 1, revoked: 1, lapsed: 0, seats: 3 })
    expect(intervals[0]).toMatchObject({ activations: 4, seats: 4 })
    const [first] = (await report(`activations?interval=Month&from=${since}`)).intervals
    expect(first).toMatchObject({ activations: 0, released: 0, revoked: 1, seats: 3 })
    const days = await csv('activations?format=csv')
    expect(days[0]).toBe('start,activations,released,revoked,lapsed,seats')
    expect(days.length).toBeGreaterThan(28)
  })

  test('ratings are told by feature and by campaign', async () => {
    const [{ token, session }] = licenses.slice(2)
    const targets = [{ featureCatalogId: made.export.id }]
    const asking = await post('admin/rating-campaigns', { name: 'Exports', targets })
    const rate = (body: object) =>
      must(
        at('POST', 'consumer/me/rating', { token, body: { sessionId: session.id, productId: made.cad.id, ...body } }),
      )
    await rate({ featureId: made.export.id, rating: 5 })
    await rate({ featureId: made.export.id, rating: 2, remark: 'Slow.' })
    await rate({ featureId: '00000000-0000-0000-0000-000000000000', rating: null, remark: 'Fine.' })
    const told = await report('ratings')
    expect(told.features).toMatchObject([
      { featureCode: null, ratings: 0, average: null, comments: 1 },
      { featureCode: 'EXPORT', ratings: 2, average: 3.5, rated2: 1, rated5: 1, comments: 1, productCode: 'CAD' },
    ])
    expect(told.campaigns).toMatchObject([
      { campaignId: null, campaignName: null, ratings: 0 },
      { campaignId: asking.id, campaignName: 'Exports', ratings: 2 },
    ])
    expect(told.featuresByCampaign).toMatchObject([
      { featureCode: null, countedBy: 'Campaign', campaignName: null },
      { featureCode: 'EXPORT', countedBy: 'Campaign', campaignName: 'Exports', ratings: 2 },
    ])
    const lines = await csv('ratings?format=csv')
    expect(lines.map((line) => /(Feature|Campaign),[\w-]*,(\w*),\d/.exec(line)?.slice(1))).toEqual([
      ...[undefined, ['Feature', ''], ['Feature', ''], ['Campaign', ''], ['Campaign', 'Exports'], undefined],
    ])
  })

  test('an entitlement that lost its product and has it again is one', async () => {
    const { products, id } = await meters.newEntitlement({ sheets: {} })
    const [{ id: productId }] = products
    await meters.consume(await meters.newSession(id), 'sheets', 8)
    await must(at('DELETE', `admin/entitlements/${id}/products/${productId}`))
    await post(`admin/entitlements/${id}/products/${productId}`)
    await meters.consume(await meters.newSession(id), 'sheets', 8)
    const { metrics } = await report('usage')
    const told = metrics.find(({ metricName }: Json) => metricName === 'sheets')
    expect(told).toMatchObject({ usage: 16, entitlements: 1 })
  })

  test('figures have all their digits, in a batch of tRPC, too', async () => {
    const { activationCode } = await newCode(made.pro0.id)
    await meters.consume(await newDevice(activationCode), 'calls', '1000000000000000.123456789')
    const figures = (text: string) => text.match(/"usage":100000000\d+\.\d+/g)
    const alone = await server.api('GET', '/api/v1/provision/admin/reports/usage', { tenant: 'sandbox' })
    const path = '/trpc/admin.reports.usage,admin.reports.usage?batch=1&input=%7B%7D'
    const batch = await server.api('GET', path, { tenant: 'sandbox' })
    expect(figures(alone.text)).toEqual([expect.stringMatching(/\.\d*23456789$/)])
    expect(figures(batch.text)).toEqual([...figures(alone.text)!, ...figures(alone.text)!])
  })

  test('a report is for who may read reports, of the own tenant, and refuses what it does not know', async () => {
    const [few, enough] = await Promise.all([
      server.tokenWith(['admin.entitlements:*'], 'sandbox'),
      server.tokenWith(['admin.reports:read'], 'sandbox'),
    ])
    for (const name of reports) {
      const path = `/api/v1/provision/admin/reports/${name}`
      const ask = (query: string, token?: string) => server.api('GET', `${path}${query}`, { tenant: 'sandbox', token })
      expect(problemOf(await ask('', few))).toEqual([403, 'auth.insufficient_scope'])
      expect((await ask('', enough)).status).toBe(200)
      const neighbours = await must(server.api('GET', path, { tenant: 'neighbour' }))
      expect(Object.values(neighbours).filter((value) => Array.isArray(value) && value.length > 0)).toEqual([])
      const window = '?from=2026-02-01T00:00:00Z&to=2026-02-01T00:00:00Z'
      for (const query of ['?format=xml', '?until=2026-01-01T00:00:00Z', window, '?from=yesterday'])
        expect([name, query, problemOf(await ask(query))]).toEqual([name, query, [400, 'license.validation_error']])
    }
  })
})
