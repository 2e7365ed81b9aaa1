import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must } from './catalog-collection.ts'
import { adminOf } from './things-to-sell.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const admin = adminOf(serveTests(store))

  const get = (path: string) => must(admin.at('GET', path))
  const orderOf = (members: Json[], key: string) => members.map((member) => member[key])

  test('plans that say no sortOrder stand as given, on create and when the list is replaced', async () => {
    const product = await admin.newProduct()
    const plans = ['Starter', 'Pro', 'Enterprise'].map((name) => ({ name }))
    const set = await admin.newPlanSet({ productId: product.id }, { plans })
    expect(orderOf(set.plans, 'name')).toEqual(['Starter', 'Pro', 'Enterprise'])
    expect(orderOf(set.plans, 'sortOrder')).toEqual([0, 1, 2])
    expect((await get(`usage-plans/plan-sets/${set.id}`)).plans).toEqual(set.plans)
    const turned = { name: set.name, plans: [...plans].reverse().map((plan) => ({ ...plan, sortOrder: null })) }
    const replaced = await must(admin.at('PUT', `usage-plans/plan-sets/${set.id}`, turned))
    expect(orderOf(replaced.plans, 'name')).toEqual(['Enterprise', 'Pro', 'Starter'])
    const same = await must(admin.at('PATCH', `usage-plans/plan-sets/${set.id}`, turned))
    expect(same.revisionNumber).toBe(replaced.revisionNumber)
  })

  test('where one of a list says a sortOrder, the others have the default', async () => {
    const product = await admin.newProduct()
    const plans = [{ name: 'Z', sortOrder: '1' }, { name: 'Y' }, { name: 'X' }]
    const set = await admin.newPlanSet({ productId: product.id }, { plans })
    expect(orderOf(set.plans, 'name')).toEqual(['X', 'Y', 'Z'])
    expect(orderOf(set.plans, 'sortOrder')).toEqual([0, 0, 1])
  })

  test('members of a suite and features of a product stand as given, too', async () => {
    const [first, second] = [await admin.newProduct(), await admin.newProduct()]
    const ids = [first.id, second.id].sort().reverse()
    for (const given of [ids, [...ids].reverse()]) {
      const suite = await admin.newSuite(given)
      expect(orderOf((await get(`suites/${suite.id}`)).members, 'productId')).toEqual(given)
    }
    const features = ['SSO', 'API', 'EXPORT'].map((featureCode) => ({ featureCode, value: true }))
    await must(admin.at('PATCH', `products/${first.id}`, { features }))
    expect(orderOf((await get(`products/${first.id}`)).features, 'featureCode')).toEqual(['SSO', 'API', 'EXPORT'])
  })
})
