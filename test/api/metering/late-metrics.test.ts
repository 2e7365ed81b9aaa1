import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, problemOf } from '../catalog/catalog-collection.ts'
import { metersOf } from './metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const meters = metersOf(server)

  /** A product and a licence of it; whatever the product gets after that is late. */
  async function sold() {
    const product = await meters.admin('products', { productCode: `LATE-${nextNumber()}`, name: 'Late' })
    const entitlement = await meters.devices.newEntitlement({ products: [{ productId: product.id }] })
    const license = await meters.newSession(entitlement.id)
    const add = (metricName: string, more: object) =>
      meters.admin('monitored-assets', { productId: product.id, metricName, name: metricName, ...more })
    const attachAgain = () =>
      must(meters.devices.at('POST', `admin/entitlements/${entitlement.id}/products/${product.id}`))
    return { product, entitlement, license, add, attachAgain }
  }
  const upTo = (endUsage: number) => ({ meteredUsage: { usageTiers: [{ endUsage }] } })
  const credits = { balanceUsage: { initialCreditAmount: 10 } }
  const assetsOf = async ({ session }: Json): Promise<Json[]> =>
    (await must(server.api('GET', `/api/v1/provision/admin/monitored-assets/by-session/${session.id}`))).items
  const refusal = [404, 'usage.metric_not_found']

  test.each<[string, (license: Json, metric: string) => Promise<Json>, object]>([
    ['consumed', (license, metric) => meters.consume(license, metric, 3), { allowed: true, usage: 3, limit: 5 }],
    ['asked for', (license, metric) => meters.preallocate(license, metric), { allowed: true, limit: 5 }],
    ['read', (license, metric) => meters.usage(license, metric), { usage: 0, limit: 5, remaining: 5 }],
    ['read as what is left', (license, metric) => meters.consumption(license, metric), { usage: 0, remaining: 5 }],
    ['held', (license, metric) => must(meters.hold(license, metric, { amount: 2 })), { allowed: true, remaining: 3 }],
  ])('a metric that a product gets after it was sold is there when it is %s', async (_what, use, expected) => {
    const { license, add } = await sold()
    expect(problemOf(await meters.tryConsume(license, 'calls', 1))).toEqual(refusal)
    await add('calls', upTo(5))
    expect(await use(license, 'calls')).toMatchObject(expected)
    expect(problemOf(await meters.tryConsume(license, 'CALLS', 1))).toEqual(refusal)
    expect((await assetsOf(license)).map(({ metricName }) => metricName)).toEqual(['calls'])
  })

  test('with an Idempotency-Key it is counted once, and by many at once it is opened once', async () => {
    const { license, add } = await sold()
    await add('calls', upTo(100))
    const path = `try-consume/${license.session.id}/calls?amount=1&idempotentKey=one`
    const headers = { 'idempotency-key': `late-${nextNumber()}` }
    const ask = () => must(meters.runtime('POST', path, license.token, { headers }))
    expect([await ask(), await ask()]).toMatchObject([{ usage: 1 }, { usage: 1 }])
    await add('more', upTo(100))
    await Promise.all(Array.from({ length: 30 }, () => meters.consume(license, 'more', 1)))
    expect(await meters.usage(license, 'more')).toMatchObject({ usage: 30 })
    expect(await assetsOf(license)).toHaveLength(2)
  })

  test('the other meters stay as they are when one is opened', async () => {
    const features = [{ featureCode: 'X', featureType: 'Metered', usageMetric: 'x', value: '10' }]
    const product = await meters.admin('products', { productCode: `LATE-${nextNumber()}`, name: 'Late', features })
    const entitlement = await meters.devices.newEntitlement({ products: [{ productId: product.id }] })
    const license = await meters.newSession(entitlement.id)
    const before = await meters.consume(license, 'x', 2)
    for (const metricName of ['x', 'y'])
      await meters.admin('monitored-assets', { productId: product.id, metricName, name: metricName, ...upTo(3) })
    expect(await meters.usage(license, 'y')).toMatchObject({ limit: 3 })
    expect(await meters.usage(license, 'x')).toMatchObject({ usage: 2, limit: before.limit })
  })

  test('what was used of it without a network is counted', async () => {
    const { license, add } = await sold()
    await add('calls', upTo(5))
    const event = { metricName: 'calls', amount: 4, occurredAt: new Date().toISOString() }
    const record = { transactionId: 1, eventName: 'UsageReported', eventData: JSON.stringify(event) }
    const body = [record, { ...record, transactionId: 2, eventData: JSON.stringify({ ...event, metricName: 'none' }) }]
    const taken = await must(
      meters.runtime('POST', `sessions/${license.session.id}/transactions`, license.token, { body }),
    )
    expect(taken).toMatchObject({ processed: 1, rejected: [{ transactionId: 2, codeName: 'usage.metric_not_found' }] })
    expect(await meters.usage(license, 'calls')).toMatchObject({ usage: 4 })
  })

  test('credits can be given to a balance that came late', async () => {
    const { entitlement, add } = await sold()
    const deposit = () =>
      meters.devices.at('POST', `operational/entitlements/${entitlement.id}/balances/credits/deposit`, {
        body: { amount: 5 },
      })
    expect(problemOf(await deposit())).toEqual(refusal)
    await add('credits', credits)
    expect(await must(deposit())).toMatchObject({ totalCredits: 15, remaining: 15 })
  })

  test('to attach a product again brings the features and metrics that it has got since, and nothing else', async () => {
    const { product, entitlement, license, add, attachAgain } = await sold()
    const before = await meters.devices.get(`admin/entitlements/${entitlement.id}`)
    expect((await attachAgain()).revisionNumber).toBe(before.revisionNumber)
    await add('calls', upTo(5))
    expect((await attachAgain()).revisionNumber).toBe(before.revisionNumber)
    expect(await assetsOf(license)).toMatchObject([{ metricName: 'calls' }])
    await meters.consume(license, 'calls', 2)
    const features = [{ featureCode: 'FIRST', value: '1' }]
    await must(meters.devices.at('PATCH', `admin/products/${product.id}`, { body: { features } }))
    const grown = await attachAgain()
    expect(grown.features).toMatchObject([{ featureCode: 'FIRST', value: '1' }])
    const later = [
      { featureCode: 'FIRST', value: '9' },
      { featureCode: 'SECOND', value: '2' },
    ]
    await must(meters.devices.at('PATCH', `admin/products/${product.id}`, { body: { features: later } }))
    expect((await attachAgain()).features).toMatchObject([
      { featureCode: 'FIRST', value: '1', id: grown.features[0].id },
      { featureCode: 'SECOND', value: '2' },
    ])
    expect(await meters.usage(license, 'calls')).toMatchObject({ usage: 2 })
  })
})
