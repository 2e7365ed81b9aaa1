import { beforeAll, expect, test } from 'vitest'
import { metricFields } from '../../../catalog-schema/metric.ts'
import { metricContracts } from '../../../server/catalog/metrics/contract.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId, problemOf, testCollection } from './catalog-collection.ts'

const admin = '/api/v1/provision/admin'
const path = `${admin}/monitored-assets`

const tiers = [
  { name: 'Included', startUsage: 0, endUsage: '100', quotaUsageLevel: 'Normal' },
  {
    startUsage: 100,
    creditsPerUnitOfConsumption: '0.25',
    quotaUsageLevel: 'OverUsage',
    quotaUsagePolicy: 'AllowWithOverage',
    fundingBalanceMetric: 'credits',
  },
]

forEachStore((store) => {
  const server = serveTests(store)
  let product: { id: string; productCode: string }
  beforeAll(async () => {
    product = await must(
      server.api('POST', `${admin}/products`, { body: { productCode: 'METERED', name: 'A metered product' } }),
    )
  })

  const api = (method: string, below: string, body?: unknown) => server.api(method, path + below, { body })
  const newMetric = (body: object = {}) =>
    must(api('POST', '', { productId: product.id, metricName: `m-${nextNumber()}`, name: 'A metric', ...body }))
  const patch = (metric: { id: string }, body: object) => must(api('PATCH', `/${metric.id}`, body))

  testCollection(() => server, {
    path,
    body: async (_server, n) => ({
      productId: product.id,
      metricName: `export-${n}`,
      name: `Exports ${n}`,
      description: 'Steps of an export',
      metricType: 'CumulativeCounter',
      unit: 'step',
      category: 'export',
      numberFormat: '0.0',
      allowedBackDatingTolerance: '3.00:00:00',
      meteredUsage: { consumptionPeriod: 'Daily', usageTiers: tiers },
      tags: [`M ${n}`],
    }),
    rename: (n) => ({ name: `Renamed ${n}` }),
    alter: { unit: 'otherwise' },
    fields: ['productId', ...Object.keys(metricFields)],
    filterable: metricContracts.list.filterable,
  })

  test('a monitored asset is answered whole, metered by nothing yet', async () => {
    const { id, createdAt, updatedAt, ...rest } = await newMetric({ metricName: 'bare' })
    expect([typeof id, createdAt]).toEqual(['string', updatedAt])
    expect(rest).toEqual({
      entitlementId: null,
      productId: product.id,
      metricName: 'bare',
      name: 'A metric',
      description: null,
      metricType: 'CumulativeCounter',
      unit: null,
      category: null,
      numberFormat: null,
      allowedBackDatingTolerance: null,
      meteredUsageId: null,
      balanceUsageId: null,
      meteredUsage: null,
      balanceUsage: null,
      tags: [],
      isDeleted: false,
      revisionNumber: 1,
    })
  })

  test('metered usage starts unused, keeps its id while it stays, and merges field by field', async () => {
    const metric = await newMetric({ meteredUsage: { usageTiers: tiers }, allowedBackDatingTolerance: 'P3D' })
    expect(metric.meteredUsage).toEqual({
      id: metric.meteredUsageId,
      consumptionPeriod: 'Monthly',
      accumulationMethod: 'Sliced',
      suspendedUntilAt: null,
      lastReportedOverageSeverityStatus: 'None',
      usageTiers: [
        expect.objectContaining({
          name: 'Included',
          startUsage: 0,
          endUsage: 100,
          baseCredits: 0,
          quotaUsagePolicy: 'None',
        }),
        expect.objectContaining({
          name: null,
          endUsage: null,
          creditsPerUnitOfConsumption: 0.25,
          fundingBalanceMetric: 'credits',
        }),
      ],
    })
    const edited = await patch(metric, { meteredUsage: { consumptionPeriod: 'Weekly', usageTiers: null } })
    expect(edited.meteredUsage).toEqual({ ...metric.meteredUsage, consumptionPeriod: 'Weekly' })
    expect((await patch(metric, { meteredUsage: { usageTiers: [] } })).meteredUsage).toMatchObject({
      id: metric.meteredUsageId,
      consumptionPeriod: 'Weekly',
      usageTiers: [],
    })
    const cleared = await patch(metric, { clearMeteredUsage: true, clearAllowedBackDatingTolerance: true })
    expect(cleared).toMatchObject({ meteredUsage: null, meteredUsageId: null, allowedBackDatingTolerance: null })
  })

  test('a balance starts with its initial credits, all of them there', async () => {
    const metric = await newMetric({
      balanceUsage: {
        name: 'Credits',
        initialCreditAmount: '250.5',
        usageQuota: [{ endUsage: '10', quotaUsageLevel: 'Critical' }],
        autoBalanceCronSchedule: '0 0 1 * *',
        autoBalanceCreditAmount: 100,
      },
    })
    expect(metric.balanceUsage).toEqual({
      id: metric.balanceUsageId,
      name: 'Credits',
      description: null,
      unit: null,
      numberFormat: null,
      creditsUsed: 0,
      totalCredits: 250.5,
      cumulativeCreditsUsed: 0,
      unfundedCredits: 0,
      lastUnfundedAt: null,
      lastDeposit: null,
      usageQuota: [{ endUsage: 10, name: null, quotaUsageLevel: 'Critical' }],
      suspendedUntilAt: null,
      overageSeverityStatus: 'None',
      initialCreditAmount: 250.5,
      isUnlimitedCredits: false,
      autoBalanceCronSchedule: '0 0 1 * *',
      lastAutoBalanceDate: null,
      shouldAutoBalanceTransferCurrentCredits: false,
      maxAutoBalanceCreditTransferAmount: null,
      autoBalanceCreditAmount: 100,
    })
    const switched = await patch(metric, { clearBalanceUsage: true, meteredUsage: {} })
    expect(switched).toMatchObject({ balanceUsage: null, balanceUsageId: null, meteredUsage: { usageTiers: [] } })
    expect(
      (await api('GET', `?filter=id==${metric.id},balanceUsageId==null,meteredUsageId==${switched.meteredUsageId}`))
        .body.totalCount,
    ).toBe(1)
  })

  test('the limit of what is carried over is taken away, and no balance comes of that', async () => {
    const limited = { shouldAutoBalanceTransferCurrentCredits: true, maxAutoBalanceCreditTransferAmount: 5 }
    const metric = await newMetric({ balanceUsage: limited })
    const clear = { clearMaxAutoBalanceCreditTransferAmount: true }
    const unlimited = { ...metric.balanceUsage, maxAutoBalanceCreditTransferAmount: null }
    expect((await patch(metric, clear)).balanceUsage).toEqual(unlimited)
    await patch(metric, { balanceUsage: limited })
    const put = { ...clear, name: 'A metric', balanceUsage: { unit: 'page' } }
    const written = await must(api('PUT', `/${metric.id}`, put))
    expect(written.balanceUsage).toEqual({ ...unlimited, unit: 'page' })
    const both = await api('PATCH', `/${metric.id}`, { ...clear, balanceUsage: limited })
    expect(problemOf(both)).toEqual([400, 'license.validation_error'])
    expect(both.body.errors[0].pointer).toBe('/clearMaxAutoBalanceCreditTransferAmount')
    expect(await patch(metric, { ...clear, clearBalanceUsage: true })).toMatchObject({ balanceUsage: null })
    expect(await patch(metric, clear)).toMatchObject({ balanceUsage: null, balanceUsageId: null })
  })

  test.each([
    [{ metricName: 'Steps' }, '/metricName'],
    [{ productId: noSuchId }, '/productId'],
    [{ meteredUsage: {}, balanceUsage: {} }, '/balanceUsage'],
    [{ meteredUsage: { usageTiers: [{ startUsage: 5, endUsage: 5 }] } }, '/meteredUsage/usageTiers/0/endUsage'],
    [{ meteredUsage: { usageTiers: [{ startUsage: -1 }] } }, '/meteredUsage/usageTiers/0/startUsage'],
    [{ meteredUsage: { consumptionPeriod: 'monthly' } }, '/meteredUsage/consumptionPeriod'],
    [{ meteredUsage: { id: noSuchId } }, '/meteredUsage/id'],
    [{ balanceUsage: { creditsUsed: 3 } }, '/balanceUsage/creditsUsed'],
    [{ balanceUsage: { initialCreditAmount: '1e400' } }, '/balanceUsage/initialCreditAmount'],
    [{ balanceUsage: { initialCreditAmount: '1e9999999' } }, '/balanceUsage/initialCreditAmount'],
    [{ balanceUsage: { initialCreditAmount: `${'0'.repeat(800)}1` } }, '/balanceUsage/initialCreditAmount'],
    [{ balanceUsage: { initialCreditAmount: ' 1' } }, '/balanceUsage/initialCreditAmount'],
    [{ balanceUsage: { initialCreditAmount: 1e18 } }, '/balanceUsage/initialCreditAmount'],
    [{ balanceUsage: { autoBalanceCreditAmount: '1e18' } }, '/balanceUsage/autoBalanceCreditAmount'],
    [{ balanceUsage: { usageQuota: [{ name: 'x' }] } }, '/balanceUsage/usageQuota/0/endUsage'],
    [{ balanceUsage: { autoBalanceCronSchedule: '61 * * * *' } }, '/balanceUsage/autoBalanceCronSchedule'],
    [{ balanceUsage: { autoBalanceCronSchedule: '@reboot' } }, '/balanceUsage/autoBalanceCronSchedule'],
    [{ allowedBackDatingTolerance: '3 days' }, '/allowedBackDatingTolerance'],
    [{ meteredUsage: 'Monthly' }, '/meteredUsage'],
  ])('the create %j is refused', async (given, pointer) => {
    const body = { productId: product.id, metricName: `r-${nextNumber()}`, name: 'x', ...given }
    const refused = await api('POST', '', body)
    expect(problemOf(refused)).toEqual([400, 'license.validation_error'])
    expect(refused.body.errors[0].pointer).toBe(pointer)
  })

  test('a metric that a released plan set quotes keeps its name and stays', async () => {
    const [quoted, paying] = [await newMetric(), await newMetric({ balanceUsage: {} })]
    const featureCode = `Q-${nextNumber()}`
    await must(
      server.api('POST', `${admin}/feature-catalog`, { body: { productId: product.id, featureCode, name: 'Quoted' } }),
    )
    const usageTiers = [
      { startUsage: 1, quotaUsagePolicy: 'AllowWithOverage', fundingBalanceMetric: paying.metricName },
    ]
    const featureValues = [
      { featureCode, metricName: quoted.metricName, enforcementType: 'TieredAbsolute', usageTiers },
    ]
    const plans = [{ name: 'Pro', lineItems: [{ productId: product.id, featureValues }] }]
    const set = await must(
      server.api('POST', `${admin}/usage-plans/plan-sets`, { body: { productId: product.id, name: 'Metered', plans } }),
    )
    await patch(quoted, { metricName: `${quoted.metricName}-b` })
    await patch(quoted, { metricName: quoted.metricName })
    await must(server.api('POST', `${admin}/usage-plans/plan-sets/${set.id}/publish`))
    for (const metric of [quoted, paying])
      for (const refused of [
        await api('DELETE', `/${metric.id}`),
        await api('PATCH', `/${metric.id}`, { metricName: 'other' }),
      ]) {
        expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
        expect(refused.body.detail).toContain('plan-set:METERED/Metered')
      }
    expect((await patch(quoted, { name: 'Still editable' })).name).toBe('Still editable')
  })

  test('a balance that pays for another metric, or as a released add-on says, keeps its name and stays', async () => {
    const paying = await newMetric({ balanceUsage: {} })
    const usageTiers = [{ quotaUsagePolicy: 'AllowWithOverage', fundingBalanceMetric: paying.metricName }]
    const refusals = async () => {
      const answers = [
        await api('DELETE', `/${paying.id}`),
        await api('PATCH', `/${paying.id}`, { metricName: `${paying.metricName}-b` }),
        await api('PATCH', `/${paying.id}`, { clearBalanceUsage: true, meteredUsage: {} }),
      ]
      for (const answer of answers) expect(problemOf(answer)).toEqual([409, 'catalog.in_use'])
      return new Set(answers.map(({ body }) => body.detail.replace(/.* is used by /, '')))
    }
    const metered = await newMetric({ meteredUsage: { usageTiers } })
    expect(await refusals()).toEqual(new Set([`metric:METERED/${metered.metricName}.`]))
    await patch(metered, { meteredUsage: { usageTiers: [] } })
    const featureCode = `P-${nextNumber()}`
    const post = (where: string, body?: object) => must(server.api('POST', `${admin}/${where}`, { body }))
    await post('feature-catalog', { productId: product.id, featureCode, name: 'Paid', featureType: 'Numeric' })
    const featureValues = [{ featureCode, usageTiers }]
    const addOn = await post('add-ons', { productId: product.id, code: featureCode, name: 'Pack', featureValues })
    await post(`add-ons/${addOn.id}/publish`)
    expect(await refusals()).toEqual(new Set([`add-on:${featureCode}.`]))
    await must(server.api('DELETE', `${admin}/add-ons/${addOn.id}`))
    expect((await patch(paying, { metricName: `${paying.metricName}-b` })).metricName).toBe(`${paying.metricName}-b`)
    expect((await api('DELETE', `/${paying.id}`)).status).toBe(204)
  })

  test("a metric that its own product's feature reports under keeps its name and stays, whichever of the two says so", async () => {
    const post = (where: string, body: object) => must(server.api('POST', `${admin}/${where}`, { body }))
    const own = await post('products', { productCode: `M-${nextNumber()}`, name: 'Its own meters' })
    const edit = (features: object[]) =>
      must(server.api('PATCH', `${admin}/products/${own.id}`, { body: { features } }))
    const metric = await newMetric({ productId: own.id })
    const refusals = async () => [
      await api('DELETE', `/${metric.id}`),
      await api('PATCH', `/${metric.id}`, { metricName: `${metric.metricName}-b` }),
    ]
    await edit([{ featureCode: 'CALLS', featureType: 'Metered', usageMetric: metric.metricName }])
    for (const refused of await refusals()) {
      expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
      expect(refused.body.detail).toContain(`feature:${own.productCode}/CALLS`)
    }
    expect((await patch(metric, { name: 'Still editable', unit: 'call' })).unit).toBe('call')
    await edit([])
    const entry = { featureCode: 'PAGES', name: 'Pages', featureType: 'Metered', metricName: metric.metricName }
    await post('feature-catalog', { productId: own.id, ...entry })
    await edit([{ featureCode: 'PAGES' }])
    for (const refused of await refusals()) expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
    await edit([{ featureCode: 'CALLS', featureType: 'Numeric', usageMetric: metric.metricName }])
    expect((await patch(metric, { metricName: `${metric.metricName}-b` })).metricName).toBe(`${metric.metricName}-b`)
    expect((await api('DELETE', `/${metric.id}`)).status).toBe(204)
  })

  const post = (where: string, body?: object) => must(server.api('POST', `${admin}/${where}`, { body }))
  const newProduct = () => post('products', { productCode: `M-${nextNumber()}`, name: 'Another product' })

  /** Publishes a plan of a suite that gives a feature of a product. */
  async function publish(suite: object, productId: string, value: object) {
    const plans = [{ name: 'Pro', lineItems: [{ productId, featureValues: [value] }] }]
    const set = await post('usage-plans/plan-sets', { ...suite, name: `Plans ${nextNumber()}`, plans })
    await post(`usage-plans/plan-sets/${set.id}/publish`)
    return set
  }

  const isKept = async (metric: { id: string; metricName: string }, user: string) => {
    for (const refused of [
      await api('DELETE', `/${metric.id}`),
      await api('PATCH', `/${metric.id}`, { metricName: `${metric.metricName}-b` }),
    ]) {
      expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
      expect(refused.body.detail).toContain(user)
    }
  }

  test('a metric that a feature of a released plan reports under, and the plan does not name, keeps its name and stays', async () => {
    const { id: productId } = await newProduct()
    const [entered, attached, replaced] = [
      await newMetric({ productId }),
      await newMetric({ productId }),
      await newMetric({ productId }),
    ]
    const metered = { productId, name: 'Metered', featureType: 'Metered' }
    await post('feature-catalog', { ...metered, featureCode: 'ENTERED', metricName: entered.metricName })
    await post('feature-catalog', { ...metered, featureCode: 'REPLACED', metricName: replaced.metricName })
    const features = [{ featureCode: 'ATTACHED', featureType: 'Metered', usageMetric: attached.metricName }]
    await must(server.api('PATCH', `${admin}/products/${productId}`, { body: { features } }))
    for (const [featureCode, metric] of [
      ['ENTERED', entered],
      ['ATTACHED', attached],
    ] as const) {
      const set = await publish({ productId }, productId, { featureCode, value: '5' })
      await isKept(metric, set.name)
    }
    await publish({ productId }, productId, { featureCode: 'REPLACED', metricName: entered.metricName })
    expect((await api('DELETE', `/${replaced.id}`)).status).toBe(204)
  })

  test('a balance that pays for another product of a suite keeps its name and stays, unless that product has one by the same name', async () => {
    const [paid, payer] = [await newProduct(), await newProduct()]
    const suite = await post('suites', {
      ...{ code: `S-${nextNumber()}`, name: 'Both' },
      members: [{ productId: paid.id }, { productId: payer.id }],
    })
    await post('feature-catalog', { productId: paid.id, featureCode: 'PAID', name: 'Paid', featureType: 'Numeric' })
    const balance = await newMetric({ productId: payer.id, balanceUsage: {} })
    const { metricName } = balance
    const usageTiers = [{ startUsage: 1, quotaUsagePolicy: 'AllowWithOverage', fundingBalanceMetric: metricName }]
    const asset = await newMetric({ productId: paid.id, meteredUsage: { usageTiers } })
    await isKept(balance, `metric:${paid.productCode}/${asset.metricName}`)
    expect((await api('DELETE', `/${asset.id}`)).status).toBe(204)
    const value = { featureCode: 'PAID', enforcementType: 'TieredAbsolute', usageTiers }
    const set = await publish({ suiteId: suite.id }, paid.id, value)
    await isKept(balance, `plan-set:${suite.code}/${set.name}`)
    await newMetric({ productId: paid.id, metricName, balanceUsage: {} })
    expect((await api('DELETE', `/${balance.id}`)).status).toBe(204)
  })
})
