import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { pointersOf } from '../catalog/things-to-sell.ts'
import { boundsOf, plannedEntitlements, valuesOf } from './planned-entitlements.ts'

forEachStore((store) => {
  const server = serveTests(store)
  const scene = plannedEntitlements(server)
  const { admin, made, addOn, applyPlan, assetsOf, newAddOn, newEntitlement } = scene
  const apply = (id: string, { id: addOnId }: { id: string }) => must(addOn('POST', id, addOnId))

  test('an add-on goes on from what the plan gives, each from the one before', async () => {
    const { id } = await newEntitlement()
    await must(applyPlan(id, 'Pro'))
    const seats = await newAddOn([
      { featureCode: 'SEATS', operation: 'Add', value: '10' },
      { featureCode: 'EXPORTS', operation: 'Add', value: '50' },
      { featureCode: 'CREDITS', operation: 'Max', value: '700' },
    ])
    const atLeast = await newAddOn([{ featureCode: 'SEATS', operation: 'Max', value: '40' }])
    expect(valuesOf(await apply(id, seats)).SEATS).toBe('35')
    const both = await apply(id, atLeast)
    expect(valuesOf(both).SEATS).toBe('40')
    expect(both.addOns).toEqual([
      { addOnId: seats.id, code: seats.code, name: 'Pack' },
      { addOnId: atLeast.id, code: atLeast.code, name: 'Pack' },
    ])
    const { exports, credits } = await assetsOf(id)
    expect(boundsOf(exports)).toEqual([
      [0, 150],
      [150, null],
    ])
    expect(credits.balanceUsage.initialCreditAmount).toBe(700)
  })

  test('a value put in place of another moves the limit of its meter up, or down', async () => {
    const { id } = await newEntitlement()
    await must(applyPlan(id, 'Pro'))
    const limitAt = async (value: string) => {
      const pack = await newAddOn([{ featureCode: 'EXPORTS', value }])
      expect(valuesOf(await apply(id, pack)).EXPORTS).toBe(value)
      return boundsOf((await assetsOf(id)).exports)
    }
    for (const end of [500, 7])
      expect(await limitAt(String(end))).toEqual([
        [0, end],
        [end, null],
      ])
    expect(await limitAt('Infinity')).toEqual([[0, null]])
    expect(await limitAt('20')).toEqual([[0, 20]])
  })

  test('Add moves the bounds of tiers by what is given, and none ends before it starts', async () => {
    const { id } = await newEntitlement()
    const tiers = async (operation: string, ...usageTiers: object[]) => {
      const pack = await newAddOn([{ featureCode: 'EXPORTS', operation, usageTiers }])
      await apply(id, pack)
      return (await assetsOf(id)).exports.meteredUsage.usageTiers.map(({ startUsage, endUsage }: typeof pack) => [
        startUsage,
        endUsage,
      ])
    }
    const tier = (startUsage: number | null, endUsage: number) => ({ startUsage, endUsage })
    expect(await tiers('Replace', tier(0, 80), tier(80, 100))).toEqual([
      [0, 80],
      [80, 100],
    ])
    expect(await tiers('Add', tier(0, 50), tier(50, 50))).toEqual([
      [0, 130],
      [130, 150],
    ])
    expect(await tiers('Add', tier(0, 100), tier(null, 20))).toEqual([
      [0, 230],
      [230, 230],
    ])
  })

  test('Max compares bounds by percentage with bounds by usage by what they come to', async () => {
    const { id } = await newEntitlement()
    const limitAfter = async (change: object) => {
      await apply(id, await newAddOn([{ featureCode: 'EXPORTS', ...change }]))
      return boundsOf((await assetsOf(id)).exports)
    }
    expect(await limitAfter({ value: '40', usageTiers: [{ startUsage: 0, endUsage: 40 }] })).toEqual([[0, 40]])
    const upTo = (endPercentage: number) => ({ operation: 'Max', usageTiers: [{ startPercentage: 0, endPercentage }] })
    expect(await limitAfter(upTo(50))).toEqual([[0, 40]])
    expect(await limitAfter(upTo(200))).toEqual([[0, 80]])
  })

  test('one that is removed leaves everything as if it had never been', async () => {
    const { id } = await newEntitlement()
    await must(applyPlan(id, 'Pro'))
    const [before, assets] = [await scene.read(id), await assetsOf(id)]
    const first = await newAddOn([
      { featureCode: 'SEATS', operation: 'Add', value: '0.1' },
      { featureCode: 'RENDER', value: 'false' },
      { featureCode: 'EXPORTS', usageTiers: [{ startUsage: 0, endUsage: 7 }] },
    ])
    const second = await newAddOn([{ featureCode: 'SEATS', operation: 'Add', value: '0.2' }])
    await apply(id, first)
    expect(valuesOf(await apply(id, second))).toMatchObject({ SEATS: '25.3', RENDER: 'false' })
    expect((await addOn('DELETE', id, first.id)).status).toBe(204)
    expect(valuesOf(await scene.read(id)).SEATS).toBe('25.2')
    expect((await addOn('DELETE', id, second.id)).status).toBe(204)
    const after = await scene.read(id)
    expect(after.features).toEqual(before.features)
    expect(after).toMatchObject({ addOns: [], revisionNumber: before.revisionNumber + 4 })
    const { exports } = await assetsOf(id)
    expect([exports.id, exports.meteredUsage]).toEqual([assets.exports.id, assets.exports.meteredUsage])
  })

  test('what it brings of a product is there, be the product attached before or after', async () => {
    await admin.newFeature(made.viewer.id, 'NOTES', { featureType: 'Numeric' })
    const pack = await newAddOn([
      { featureCode: 'SEATS', operation: 'Add', value: '2' },
      { featureCode: 'NOTES', value: '7' },
    ])
    const [first, later, attached] = [await newEntitlement(), await newEntitlement(), await newEntitlement()]
    await must(applyPlan(first.id, 'Suite'))
    const wanted = { SEATS: '5', RENDER: 'true', EXPORTS: null, CREDITS: null, PAGES: '9', NOTES: '7' }
    expect(valuesOf(await apply(first.id, pack))).toEqual(wanted)
    expect(valuesOf(await apply(later.id, pack))).not.toHaveProperty('NOTES')
    expect(valuesOf(await must(applyPlan(later.id, 'Suite')))).toEqual(wanted)
    await apply(attached.id, pack)
    await must(admin.at('POST', `entitlements/${attached.id}/products/${made.viewer.id}`))
    expect(valuesOf(await scene.read(attached.id))).toEqual({ ...wanted, PAGES: '2' })
    await must(admin.at('DELETE', `entitlements/${attached.id}/products/${made.viewer.id}`))
    expect(valuesOf(await scene.read(attached.id))).not.toHaveProperty('NOTES')
  })

  test('what it has brought stays as support has it when its product gets the feature and is attached again', async () => {
    const cad = await scene.newCad()
    await admin.newFeature(cad.id, 'LAYERS', { featureType: 'Numeric' })
    const pack = await newAddOn([{ featureCode: 'LAYERS', operation: 'Max', value: '2' }], {
      ...{ suiteId: undefined, productId: cad.id },
    })
    const { id } = await newEntitlement({ products: [{ productId: cad.id }] })
    await apply(id, pack)
    const by = { featureCode: 'LAYERS', value: '7', isEnabled: false }
    const layersOf = ({ features }: typeof pack) =>
      features.find(({ featureCode }: typeof pack) => featureCode === 'LAYERS')
    const given = layersOf(await must(admin.at('PATCH', `entitlements/${id}`, { features: [by] })))
    expect(given).toMatchObject(by)
    const attached = { featureCode: 'LAYERS', featureType: 'Numeric', value: '1' }
    await must(admin.at('PATCH', `products/${cad.id}`, { features: [attached] }))
    expect(layersOf(await must(admin.at('POST', `entitlements/${id}/products/${cad.id}`)))).toEqual(given)
    expect((await addOn('DELETE', id, pack.id)).status).toBe(204)
    expect(layersOf(await scene.read(id))).toEqual(given)
  })

  test('it acts on the plans it targets, from the moment the entitlement is on one', async () => {
    const { id } = await newEntitlement()
    const forPro = await newAddOn([{ featureCode: 'SEATS', value: '99', planTargets: ['Pro'] }])
    expect(valuesOf(await apply(id, forPro)).SEATS).toBe('3')
    expect(valuesOf(await must(applyPlan(id, 'Pro'))).SEATS).toBe('99')
    expect(valuesOf(await must(applyPlan(id, 'Free'))).SEATS).toBe('1')
  })

  test('it brings back what the plan leaves out, and a feature that only the catalog has', async () => {
    const { id } = await newEntitlement()
    await must(applyPlan(id, 'Free'))
    const pack = await newAddOn([
      { featureCode: 'RENDER', value: 'true' },
      { featureCode: 'SCRIPTS', value: 'true' },
    ])
    expect(valuesOf(await apply(id, pack))).toMatchObject({ RENDER: 'true', SCRIPTS: 'true' })
    await must(addOn('DELETE', id, pack.id))
    expect(valuesOf(await scene.read(id))).toEqual({ SEATS: '1', RENDER: 'off', EXPORTS: '10', CREDITS: null })
  })

  test('one that is applied already stays as it was then', async () => {
    const { id } = await newEntitlement()
    const pack = await newAddOn([{ featureCode: 'SEATS', value: '50' }])
    const first = await apply(id, pack)
    await must(admin.at('PATCH', `add-ons/${pack.id}`, { featureValues: [{ featureCode: 'SEATS', value: '60' }] }))
    expect(await apply(id, pack)).toEqual(first)
    await must(addOn('DELETE', id, pack.id))
    expect(valuesOf(await apply(id, pack)).SEATS).toBe('60')
  })

  test('one that is a Draft yet is applied by the vendor', async () => {
    const { id } = await newEntitlement()
    const featureValues = [{ featureCode: 'SEATS', value: '70' }]
    const about = { suiteId: made.suite.id, code: `DRAFT-${id}`, name: 'Draft', featureValues }
    expect(valuesOf(await apply(id, await admin.post('add-ons', about))).SEATS).toBe('70')
  })

  test('what is no longer sold, not there or not of its products is refused', async () => {
    const { id } = await newEntitlement()
    const retired = await admin.post(`add-ons/${(await newAddOn([])).id}/retire`)
    const stranger = await scene.newCad()
    const elsewhere = await admin.post('add-ons', { productId: stranger.id, code: `ELSE-${id}`, name: 'Elsewhere' })
    await admin.post(`add-ons/${elsewhere.id}/publish`)
    for (const { id: addOnId } of [retired, elsewhere])
      expect(pointersOf(await addOn('POST', id, addOnId))).toEqual([400, 'license.validation_error', ['/addOnId']])
    for (const method of ['POST', 'DELETE'] as const)
      expect(problemOf(await addOn(method, id, noSuchId))).toEqual([404, 'license.record_not_found'])
    const pack = await newAddOn([])
    expect(problemOf(await addOn('DELETE', id, pack.id))).toEqual([404, 'license.record_not_found'])
    await admin.post(`entitlements/${id}/cancel`)
    expect(problemOf(await addOn('POST', id, pack.id))).toEqual([409, 'catalog.invalid_transition'])
  })

  test("a neighbour's entitlement is as absent as one that never was", async () => {
    const { id } = await newEntitlement()
    const pack = await newAddOn([])
    for (const method of ['POST', 'DELETE']) {
      const ask = (entitlementId: string) =>
        server.api(method, `/api/v1/provision/admin/entitlements/${entitlementId}/add-ons/${pack.id}`, {
          tenant: 'neighbour',
        })
      const [theirs, never] = [await ask(id), await ask(noSuchId)]
      expect([theirs.status, theirs.body.detail]).toEqual([404, never.body.detail])
    }
  })
})
