import { expect, test } from 'vitest'
import { metricContracts } from '../../../server/catalog/metrics/contract.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { devicesOf } from '../activations/devices.ts'
import { must, nextNumber, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { adminOf, pointersOf } from '../catalog/things-to-sell.ts'

type Json = ReturnType<typeof JSON.parse>
const assets = '/api/v1/provision/admin/monitored-assets'

forEachStore((store) => {
  const server = serveTests(store)
  const admin = adminOf(server)
  const devices = devicesOf(server)
  const list = (where: string, query = ''): Promise<Json> => must(server.api('GET', `${assets}${where}?${query}`))
  const namesOf = ({ items }: Json) => items.map(({ metricName }: Json) => metricName)
  const ofEntitlement = (id: string): Promise<Json> => list('', `filter=entitlementId==${id}&sortOrder=metricName`)

  /** A product with a metered and a balanced asset. */
  const newMeteredProduct = async () => {
    const product = await admin.newProduct({
      features: [{ featureCode: 'EXPORTS', featureType: 'Metered', usageMetric: 'exports' }],
    })
    const ofProduct = { productId: product.id, unit: 'things', category: 'All', tags: [`Metered ${nextNumber()}`] }
    const tiers = [{ startUsage: 0, endUsage: 10 }]
    return {
      product,
      exports: await admin.post('monitored-assets', {
        ...ofProduct,
        ...{
          metricName: 'exports',
          name: 'Exports',
          description: 'Counted',
          numberFormat: '0',
          meteredUsage: { usageTiers: tiers },
        },
      }),
      credits: await admin.post('monitored-assets', {
        ...ofProduct,
        ...{ metricName: 'credits', name: 'Credits', balanceUsage: { initialCreditAmount: 50 } },
      }),
    }
  }
  const sold = (...products: Json[]): Promise<Json> =>
    devices.newEntitlement({ products: products.map(({ id }) => ({ productId: id })) })

  test('an entitlement has the monitored assets of its products as its own, with fresh balances', async () => {
    const { product, exports, credits } = await newMeteredProduct()
    const entitlement = await sold(product)
    const { items } = await ofEntitlement(entitlement.id)
    const [ownCredits, ownExports] = items
    const head = {
      entitlementId: entitlement.id,
      tags: [],
      createdAt: ownExports.createdAt,
      updatedAt: ownExports.updatedAt,
    }
    expect(ownExports).toEqual({
      ...exports,
      ...head,
      id: ownExports.id,
      meteredUsageId: ownExports.meteredUsageId,
      meteredUsage: { ...exports.meteredUsage, id: ownExports.meteredUsageId },
    })
    expect(ownCredits).toEqual({
      ...credits,
      ...head,
      id: ownCredits.id,
      balanceUsageId: ownCredits.balanceUsageId,
      balanceUsage: { ...credits.balanceUsage, id: ownCredits.balanceUsageId, totalCredits: 50, creditsUsed: 0 },
    })
    for (const own of items) {
      expect([exports.id, credits.id]).not.toContain(own.id)
      expect(await must(server.api('GET', `${assets}/${own.id}`))).toEqual(own)
    }
    const feature = entitlement.features.find(({ featureCode }: Json) => featureCode === 'EXPORTS')
    expect(feature.meteredAssetId).toBe(ownExports.id)
  })

  test('each entitlement has its own, and the catalog keeps its one', async () => {
    const { product, exports } = await newMeteredProduct()
    const [one, other] = [await sold(product), await sold(product)]
    const [ones, others] = [await ofEntitlement(one.id), await ofEntitlement(other.id)]
    expect(new Set([...ones.items, ...others.items].map(({ id }: Json) => id)).size).toBe(4)
    const found = await list('', `filter=productId==${product.id},metricName==exports`)
    expect(found.items.map(({ entitlementId }: Json) => entitlementId)).toEqual([null, one.id, other.id])
    expect((await list('', `filter=productId==${product.id},entitlementId==null,metricName==exports`)).items).toEqual([
      exports,
    ])
  })

  test('later edits of the catalog leave them as they are', async () => {
    const { product, exports } = await newMeteredProduct()
    const entitlement = await sold(product)
    const before = await ofEntitlement(entitlement.id)
    await must(
      admin.at('PATCH', `monitored-assets/${exports.id}`, { name: 'Renamed', meteredUsage: { usageTiers: [] } }),
    )
    await admin.post('monitored-assets', {
      productId: product.id,
      metricName: 'later',
      name: 'Later',
      meteredUsage: {},
    })
    expect(await ofEntitlement(entitlement.id)).toEqual(before)
  })

  test("they are the entitlement's, not to be edited or deleted as the catalog's are", async () => {
    const { product } = await newMeteredProduct()
    const [own] = (await ofEntitlement((await sold(product)).id)).items
    const inUse = [409, 'catalog.in_use']
    expect(problemOf(await admin.at('PATCH', `monitored-assets/${own.id}`, { name: 'x' }))).toEqual(inUse)
    expect(problemOf(await admin.at('DELETE', `monitored-assets/${own.id}`))).toEqual(inUse)
  })

  test('a product that is attached brings its own, and takes them along when it is detached', async () => {
    const [first, second] = [await newMeteredProduct(), await newMeteredProduct()]
    const { id } = await sold(first.product)
    await must(admin.at('POST', `entitlements/${id}/products/${second.product.id}`))
    const both = (await ofEntitlement(id)).items
    expect(both.map(({ productId }: Json) => productId).sort()).toEqual(
      [first, first, second, second].map(({ product }) => product.id).sort(),
    )
    await must(admin.at('DELETE', `entitlements/${id}/products/${second.product.id}`))
    const staying = both.filter(({ productId }: Json) => productId === first.product.id)
    expect((await ofEntitlement(id)).items).toEqual(staying)
    const gone = both.find(({ productId }: Json) => productId === second.product.id)
    expect(problemOf(await server.api('GET', `${assets}/${gone.id}`))).toEqual([404, 'license.record_not_found'])
    await must(admin.at('POST', `entitlements/${id}/products/${second.product.id}`))
    expect((await ofEntitlement(id)).items.map((one: Json) => one.id)).not.toContain(gone.id)
  })

  test("a session's are those of its entitlement, paginated, filtered and sorted as the catalog's", async () => {
    const { product } = await newMeteredProduct()
    const entitlement = await sold(product)
    const { activationCode } = await devices.newCode(entitlement.id)
    const { session } = await devices.newDevice(activationCode)
    const bySession = (query = '') => list(`/by-session/${session.id}`, query)
    expect((await bySession('sortOrder=metricName')).items).toEqual((await ofEntitlement(entitlement.id)).items)
    const page = await bySession('pageSize=1&pageNumber=2&sortOrder=metricName')
    expect(page).toMatchObject({
      totalCount: 2,
      totalPages: 2,
      pageNumber: 2,
      hasNextPage: false,
      hasPreviousPage: true,
    })
    expect(namesOf(page)).toEqual(['exports'])
    expect(namesOf(await bySession('filter=metricName@=cred'))).toEqual(['credits'])
    expect((await bySession(`filter=entitlementId!=${entitlement.id}`)).items).toEqual([])
    for (const field of metricContracts.list.filterable) await bySession(`filter=${field}!=null`)
    const refused = await server.api('GET', `${assets}/by-session/${session.id}?filter=nmae==x`)
    expect(pointersOf(refused)).toEqual([400, 'license.validation_error', ['filter']])
  })

  test("by-session knows the tenant's own sessions alone, and wants its scope", async () => {
    const entitlement = await sold()
    const { activationCode } = await devices.newCode(entitlement.id)
    const { session } = await devices.newDevice(activationCode)
    const ask = (id: string, options: object = {}) => server.api('GET', `${assets}/by-session/${id}`, options)
    expect((await must(ask(session.id))).items).toEqual([])
    const [theirs, never] = [
      await ask(session.id, { tenant: 'neighbour' }),
      await ask(noSuchId, { tenant: 'neighbour' }),
    ]
    expect(problemOf(theirs)).toEqual([404, 'license.record_not_found'])
    expect(theirs.body.detail).toBe(never.body.detail)
    expect(problemOf(await ask('not-a-uuid'))).toEqual([404, 'license.record_not_found'])
    const token = await server.tokenWith(['admin.sessions:*'])
    expect(problemOf(await ask(session.id, { token }))).toEqual([403, 'auth.insufficient_scope'])
  })
})
