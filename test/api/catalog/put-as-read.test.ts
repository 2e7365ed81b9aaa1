import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId } from './catalog-collection.ts'
import { adminOf, pointersOf } from './things-to-sell.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const admin = adminOf(server)

  async function records(): Promise<Record<string, string>> {
    const n = nextNumber()
    const features = [{ featureCode: 'SEATS', name: 'Seats', featureType: 'Numeric', value: '3' }]
    const product = await admin.newProduct({ features, productInformation: { supportUrl: 'https://a.example' } })
    const entry = await admin.newFeature(product.id, 'EXPORT')
    const tiers = { usageTiers: [{ endUsage: 5 }, { startUsage: 5, quotaUsagePolicy: 'Deny' }] }
    const made = async (path: string, body: object) => (await admin.post(path, body)).id
    const asset = (metricName: string, more: object) =>
      made('monitored-assets', { productId: product.id, metricName, name: metricName, ...more })
    const suite = await admin.newSuite([product.id])
    const values = [{ featureCode: 'SEATS', enforcementType: 'SingleValue', value: '5' }]
    const plans = [{ name: 'Pro', lineItems: [{ productId: product.id, included: true, featureValues: values }] }]
    const set = await admin.newPlanSet({ productId: product.id }, { plans })
    const targets = [{ featureCatalogId: entry.id, question: 'Well?' }]
    return {
      products: product.id,
      'feature-catalog': entry.id,
      'monitored-assets': await asset('calls', { meteredUsage: tiers }),
      'monitored-assets/': await asset('credits', { balanceUsage: { initialCreditAmount: 5 } }),
      suites: suite.id,
      'usage-plans/plan-sets': set.id,
      'add-ons': await made('add-ons', {
        ...{ suiteId: suite.id, code: `MORE-${n}`, name: 'More', features: [{ id: entry.id }] },
        featureValues: [{ featureCode: 'SEATS', value: '1', operation: 'Add', planTargets: [] }],
      }),
      tags: await made('tags', { scope: 'Product', name: `tag ${n}`, color: '#123456' }),
      customers: await made('customers', { name: 'C' }),
      users: await made('users', { email: `u${n}@example.org`, displayName: 'U' }),
      'organization-groups': await made('organization-groups', { name: `G ${n}` }),
      campaigns: await made('campaigns', { name: `C ${n}`, source: 'mail' }),
      'rating-campaigns': await made('rating-campaigns', { name: `R ${n}`, targets }),
      clients: await made('clients', { name: `Client ${n}`, scopes: ['admin.tags:read'] }),
    }
  }

  test('what was read can be put back as it is, and nothing moves; a field that nobody knows is refused still', async () => {
    for (const [where, id] of Object.entries(await records())) {
      const path = `${where.replace(/\/$/, '')}/${id}`
      const read: Json = await must(admin.at('GET', path))
      const put = await admin.at('PUT', path, read)
      expect([where, put.status, put.body.errors]).toEqual([where, 200, undefined])
      expect(await must(admin.at('GET', path))).toEqual(read)
      const { errors } = (await admin.at('PUT', path, { ...read, nmae: 1 })).body
      expect([where, errors]).toMatchObject([where, [{ pointer: '/nmae' }]])
    }
  })

  test("another record's id in the body is refused", async () => {
    for (const [where, id] of Object.entries(await records())) {
      const path = `${where.replace(/\/$/, '')}/${id}`
      const read: Json = await must(admin.at('GET', path))
      const refused = pointersOf(await admin.at('PUT', path, { ...read, id: noSuchId }))
      expect([where, refused]).toEqual([where, [400, 'license.validation_error', ['/id']]])
      expect(await must(admin.at('GET', path))).toEqual(read)
      expect((await admin.at('PUT', path, { ...read, id: id.toUpperCase() })).status).toBe(200)
    }
  })
})
