import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must } from '../catalog/catalog-collection.ts'
import { plannedEntitlements } from './planned-entitlements.ts'

forEachStore((store) => {
  const server = serveTests(store)
  const scene = plannedEntitlements(server)
  const { admin, made, newEntitlement } = scene

  const refusal = async (path: string) => {
    const { status, body } = await admin.at('DELETE', path)
    return status === 204 ? 'deleted' : `${status} ${body.codeName} ${body.detail}`
  }

  test('a product that a live entitlement has is not deleted, and may be when that is over', async () => {
    const { id: productId } = await admin.newProduct()
    const { id, name } = await newEntitlement({ products: [{ productId }] })
    const refused = `409 catalog.in_use product:`
    for (const step of ['suspend', 'resume']) {
      expect(await refusal(`products/${productId}`)).toContain(`${refused}`)
      expect(await refusal(`products/${productId}`)).toContain(` is used by entitlement:${name}.`)
      await admin.post(`entitlements/${id}/${step}`)
    }
    await admin.post(`entitlements/${id}/cancel`)
    expect(await refusal(`products/${productId}`)).toBe('deleted')
    expect((await scene.read(id)).status).toBe('Cancelled')
  })

  test('a product that was deleted stands in the way of no other product of the Draft that had it', async () => {
    const features = [{ featureCode: 'GONE', name: 'Gone', featureType: 'Boolean' }]
    const [gone, staying, coming] = [
      await admin.newProduct({ features }),
      await admin.newProduct(),
      await admin.newProduct(),
    ]
    const products = [{ productId: gone.id }, { productId: staying.id }]
    const { id } = await newEntitlement({ status: 'Draft', products })
    const other = await newEntitlement({ status: 'Draft', products })
    expect(await refusal(`products/${gone.id}`)).toBe('deleted')
    await must(admin.at('POST', `entitlements/${id}/products/${coming.id}`))
    const { products: held, features: given } = await scene.read(id)
    expect(held.map((product: { id: string }) => product.id)).toEqual([staying.id, coming.id])
    expect(given.map(({ featureCode }: { featureCode: string }) => featureCode)).not.toContain('GONE')
    expect(await refusal(`entitlements/${other.id}/products/${staying.id}`)).toBe('deleted')
    expect((await scene.read(other.id)).products).toEqual([])
  })

  test('a Draft or what has expired becomes live only with the customer and the products that it names', async () => {
    const activation = (id: string, body: object = {}) =>
      admin.at('PATCH', `entitlements/${id}`, { status: 'Active', ...body })
    const [gone, staying] = [await admin.newProduct(), await admin.newProduct()]
    const customer = await admin.post('customers', { name: 'Gone' })
    const products = [{ productId: gone.id }, { productId: staying.id }]
    const { id } = await newEntitlement({ status: 'Draft', products, customerId: customer.id })
    await must(admin.at('DELETE', `customers/${customer.id}`))
    await must(admin.at('DELETE', `products/${gone.id}`))
    for (const refused of [await admin.at('POST', `entitlements/${id}/activate`), await activation(id)]) {
      expect(refused.body.codeName).toBe('catalog.invalid_transition')
      expect(refused.body.detail).toBe('Its customer was deleted: give it another by PATCH (customerId) first.')
    }
    const other = await admin.post('customers', { name: 'Other' })
    const refused = await activation(id, { customerId: other.id })
    expect(refused.body.detail).toBe(`Its product ${gone.id} was deleted: take it off by PATCH (products) first.`)
    await must(activation(id, { customerId: other.id, products: [{ productId: staying.id }] }))
    expect((await scene.read(id)).status).toBe('Active')
  })

  test('a plan set that a live entitlement is on is not deleted, nor the product whose own suite has it', async () => {
    const product = await admin.newProduct()
    const plans = [{ name: 'Pro' }]
    const set = await admin.newPlanSet({ productId: product.id }, { plans })
    await admin.post(`usage-plans/plan-sets/${set.id}/publish`)
    const { id, name } = await newEntitlement({ products: [] })
    await must(scene.applyPlan(id, 'Pro', set.id))
    const used = `409 catalog.in_use The plan set is used by entitlement:${name}.`
    expect(await refusal(`usage-plans/plan-sets/${set.id}`)).toBe(used)
    expect(await refusal(`products/${product.id}`)).toContain(`entitlement:${name}`)
    await admin.post(`entitlements/${id}/suspend`)
    expect(await refusal(`usage-plans/plan-sets/${set.id}`)).toBe(used)
    await must(admin.at('DELETE', `entitlements/${id}`))
    expect(await refusal(`usage-plans/plan-sets/${set.id}`)).toBe('deleted')
  })

  test('a plan that a live entitlement is on does not leave its set, by any edit, and may when that is over', async () => {
    const product = await admin.newProduct()
    const plans = [{ name: 'Pro' }, { name: 'Free' }]
    const set = await admin.newPlanSet({ productId: product.id }, { plans })
    await admin.post(`usage-plans/plan-sets/${set.id}/publish`)
    const { id, name } = await newEntitlement({ products: [] })
    await must(scene.applyPlan(id, 'Pro', set.id))
    const edit = (method: string, body: object) => admin.at(method, `usage-plans/plan-sets/${set.id}`, body)
    const proId = set.plans.find((plan: { name: string }) => plan.name === 'Pro').id
    const used = `A plan that would leave the set is used by entitlement:${name}.`
    for (const step of ['suspend', 'resume']) {
      await admin.post(`entitlements/${id}/${step}`)
      for (const [method, body] of [
        ['PATCH', { plans: [{ name: 'Free' }] }],
        ['PATCH', { plans: [] }],
        ['PUT', { name: set.name, plans: [{ name: 'Free' }] }],
        ['PATCH', { plans: [{ id: proId, name: 'Professional' }, { name: 'Free' }] }],
      ] as const) {
        const { status, body: problem } = await edit(method, body)
        expect([status, problem.codeName, problem.detail]).toEqual([409, 'catalog.in_use', used])
      }
    }
    await must(edit('PATCH', { plans: [{ name: 'Pro' }] }))
    await admin.post(`entitlements/${id}/cancel`)
    expect((await must(edit('PATCH', { plans: [{ name: 'Free' }] }))).plans).toHaveLength(1)
  })

  test('an add-on that a live entitlement has is not deleted until it is removed', async () => {
    const addOn = await scene.newAddOn([{ featureCode: 'SEATS', value: '9' }])
    const { id, name } = await newEntitlement()
    await must(scene.addOn('POST', id, addOn.id))
    expect(await refusal(`add-ons/${addOn.id}`)).toBe(
      `409 catalog.in_use add-on:${addOn.code} is used by entitlement:${name}.`,
    )
    await must(scene.addOn('DELETE', id, addOn.id))
    expect(await refusal(`add-ons/${addOn.id}`)).toBe('deleted')
  })

  test('a feature that a live entitlement has, however it came by it, is not deleted, and may be when that is over', async () => {
    const features = [{ featureCode: 'COPIED', name: 'Copied', featureType: 'Boolean' }]
    const { id: productId } = await admin.newProduct({ features })
    const entries: Record<string, string> = {}
    for (const code of ['COPIED', 'BY_HAND', 'by_hand', 'NOBODYS'])
      entries[code] = (await admin.newFeature(productId, code, { featureType: 'Boolean' })).id
    const body = { products: [{ productId }], features: [{ featureCode: 'BY_HAND', value: 'true' }] }
    const { id, name } = await newEntitlement(body)
    for (const step of ['suspend', 'resume']) {
      for (const code of ['COPIED', 'BY_HAND'])
        expect(await refusal(`feature-catalog/${entries[code]}`)).toMatch(
          new RegExp(`^409 catalog.in_use feature:\\S+/${code} is used by entitlement:${name}\\.$`),
        )
      const renamed = await admin.at('PATCH', `feature-catalog/${entries.COPIED}`, { featureCode: 'RENAMED' })
      expect([renamed.status, renamed.body.codeName]).toEqual([409, 'catalog.in_use'])
      await admin.post(`entitlements/${id}/${step}`)
    }
    for (const code of ['by_hand', 'NOBODYS']) expect(await refusal(`feature-catalog/${entries[code]}`)).toBe('deleted')
    await admin.post(`entitlements/${id}/cancel`)
    expect(await refusal(`feature-catalog/${entries.BY_HAND}`)).toBe('deleted')
    expect(await refusal(`products/${productId}`)).toBe('deleted')
    expect((await admin.at('GET', `feature-catalog/${entries.COPIED}`)).status).toBe(404)
  })

  test('of many entitlements one is named and the others counted', async () => {
    const addOn = await scene.newAddOn([])
    const names: string[] = []
    for (let n = 0; n < 7; n++) {
      const { id, name } = await newEntitlement()
      names.push(name)
      await must(scene.addOn('POST', id, addOn.id))
      const named =
        n < 5
          ? [...names].sort().map((one) => `entitlement:${one}`)
          : [`entitlement:${names[0]} and ${n} other entitlements`]
      expect(await refusal(`add-ons/${addOn.id}`)).toContain(`is used by ${named.join(', ')}.`)
    }
  })

  test('a plan that a Draft is on stays with its set, until the Draft is on another or gone', async () => {
    const product = await admin.newProduct()
    const set = await admin.newPlanSet({ productId: product.id }, { plans: [{ name: 'Pro' }, { name: 'Free' }] })
    await admin.post(`usage-plans/plan-sets/${set.id}/publish`)
    const plan = { assignedPlanSetId: set.id, assignedPlanName: 'Pro' }
    const { id, name } = await newEntitlement({ status: 'Draft', products: [], ...plan })
    const edit = (plans: object[]) => admin.at('PUT', `usage-plans/plan-sets/${set.id}`, { name: set.name, plans })
    expect((await edit([{ name: 'Free' }])).body.detail).toBe(
      `A plan that would leave the set is used by entitlement:${name}.`,
    )
    expect(await refusal(`usage-plans/plan-sets/${set.id}`)).toBe(
      `409 catalog.in_use The plan set is used by entitlement:${name}.`,
    )
    expect(await refusal(`products/${product.id}`)).toContain(`is used by entitlement:${name}`)
    await must(admin.at('PATCH', `entitlements/${id}`, { clearAssignedPlan: true }))
    await must(edit([{ name: 'Free' }]))
    expect(await refusal(`usage-plans/plan-sets/${set.id}`)).toBe('deleted')
  })

  test('the asset that an entitlement meters with is left to it: the refusal says what to change instead', async () => {
    const { id, name } = await newEntitlement()
    const { credits } = await scene.assetsOf(id)
    const asset = `monitored-assets/${credits.id}`
    await must(admin.at('GET', asset))
    for (const answer of [
      await admin.at('DELETE', asset),
      await admin.at('PATCH', asset, { name: 'Mine' }),
      await admin.at('PUT', asset, { name: 'Mine' }),
    ]) {
      expect([answer.status, answer.body.codeName]).toEqual([409, 'catalog.in_use'])
      expect(answer.body.detail).toMatch(new RegExp(`belongs to entitlement:${name} .* or metric:\\S+/credits of`))
    }
    const elsewhere = await server.api('DELETE', `/api/v1/provision/admin/${asset}`, { tenant: 'neighbour' })
    expect(elsewhere.status).toBe(404)
    await must(admin.at('DELETE', `entitlements/${id}`))
    expect((await admin.at('DELETE', asset)).status).toBe(404)
  })

  test("a draft, and an entitlement of another product, stand in nothing's way", async () => {
    const { id: productId } = await admin.newProduct()
    await newEntitlement({ status: 'Draft', products: [{ productId }] })
    await newEntitlement({ products: [{ productId: made.viewer.id }] })
    expect(await refusal(`products/${productId}`)).toBe('deleted')
  })
})
