import { expect, test } from 'vitest'
import { suiteContracts } from '../../../server/catalog/suites/contract.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { catalogRevision, must, nextNumber, noSuchId, problemOf, testCollection } from './catalog-collection.ts'
import { adminOf, pointersOf } from './things-to-sell.ts'

const path = '/api/v1/provision/admin/suites'

forEachStore((store) => {
  const server = serveTests(store)
  const admin = adminOf(server)

  const patch = (id: string, body: object) => admin.at('PATCH', `suites/${id}`, body)
  const ownSuiteOf = async (product: { productCode: string; productVersion: string }) => {
    const code = encodeURIComponent(`${product.productCode}@${product.productVersion}`)
    return (await must(admin.at('GET', `suites?filter=code==${code}`))).items[0]
  }

  testCollection(() => server, {
    path,
    body: async (_server, n) => ({
      code: `DESIGN-${n}`,
      name: `Design ${n}`,
      description: 'Draws and cuts',
      members: [{ productId: (await admin.newProduct()).id, sortOrder: '3' }],
    }),
    rename: (n) => ({ name: `Renamed ${n}` }),
    alter: { description: 'Said elsewhere' },
    fields: ['code', 'name', 'description', 'members'],
    filterable: suiteContracts.list.filterable,
  })

  test('a suite is answered whole, members by their sort order', async () => {
    const [cad, cam] = [await admin.newProduct(), await admin.newProduct()]
    const created = await admin.post('suites', {
      code: 'WHOLE',
      name: 'Whole',
      members: [{ productId: cam.id.toUpperCase(), sortOrder: 2 }, { productId: cad.id }],
    })
    const { id, createdAt, updatedAt, ...rest } = created
    expect([typeof id, createdAt]).toEqual(['string', updatedAt])
    expect(rest).toEqual({
      code: 'WHOLE',
      name: 'Whole',
      description: null,
      members: [
        { productId: cad.id, productCode: cad.productCode, productName: cad.name, sortOrder: 0 },
        { productId: cam.id, productCode: cam.productCode, productName: cam.name, sortOrder: 2 },
      ],
      isImplicit: false,
      isDeleted: false,
      revisionNumber: 1,
    })
  })

  test('an empty text clears the description; null, absent and a list of members each mean their own', async () => {
    const [cad, cam] = [await admin.newProduct(), await admin.newProduct()]
    const { id } = await admin.newSuite([cad.id, cam.id], { description: 'x' })
    const edited = await must(patch(id, { description: '', members: null }))
    expect([edited.description, edited.members.length]).toEqual([null, 2])
    const replaced = await must(patch(id, { members: [{ productId: cam.id }] }))
    expect(replaced.members.map((member: { productId: string }) => member.productId)).toEqual([cam.id])
    expect((await must(patch(id, { members: [] }))).members).toEqual([])
  })

  test('members that nobody has, or that stand twice, are refused where they stand', async () => {
    const cad = await admin.newProduct()
    const members = [{ productId: cad.id }, { productId: cad.id }, { productId: noSuchId }]
    const theirs = await must(
      server.api('POST', '/api/v1/provision/admin/products', {
        tenant: 'neighbour',
        body: { productCode: 'THEIRS', name: 'Theirs' },
      }),
    )
    const refused = await admin.at('POST', 'suites', {
      code: 'TWICE',
      name: 'Twice',
      members: [...members, { productId: theirs.id }],
    })
    expect(pointersOf(refused)).toEqual([
      400,
      'license.validation_error',
      ['/members/1/productId', '/members/2/productId', '/members/3/productId'],
    ])
    expect(pointersOf(await admin.at('POST', 'suites', { code: 'X', name: 'X', members: [{}] }))[0]).toBe(400)
  })

  test('members come back as they were answered; a code beside the id of another product is refused', async () => {
    const [cad, cam] = [await admin.newProduct(), await admin.newProduct()]
    const { id, members, revisionNumber } = await admin.newSuite([cad.id, cam.id])
    expect(await must(patch(id, { members }))).toMatchObject({ members, revisionNumber })
    expect((await must(patch(id, { members: [{ ...members[1], sortOrder: 9 }] }))).members).toEqual([
      { ...members[1], sortOrder: 9 },
    ])
    const crossed = { ...members[0], productCode: members[1].productCode }
    expect(pointersOf(await patch(id, { members: [crossed] }))).toEqual([
      400,
      'license.validation_error',
      ['/members/0/productCode'],
    ])
  })

  test("a product's own suite is listed and read, and neither edited nor deleted", async () => {
    const cad = await admin.newProduct()
    const own = await ownSuiteOf(cad)
    expect(own).toMatchObject({ isImplicit: true, name: cad.name, members: [{ productId: cad.id, sortOrder: 0 }] })
    expect(await must(admin.at('GET', `suites/${own.id}`))).toEqual(own)
    for (const [method, body] of [['PATCH', { name: 'x' }], ['PUT', { name: 'x' }], ['DELETE']] as const) {
      const refused = await admin.at(method, `suites/${own.id}`, body)
      expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
      expect(refused.body.detail).toContain(`${cad.productCode}@2.0`)
    }
    for (const [method, body] of [
      ['PATCH', {}],
      ['PATCH', { code: own.code }],
      ['PUT', { name: own.name }],
    ] as const)
      expect(await must(admin.at(method, `suites/${own.id}`, body))).toEqual(own)
    const implicit = await must(admin.at('GET', `suites?filter=isImplicit==true,code==${own.code}`))
    expect(implicit.items).toEqual([own])
    expect((await must(admin.at('GET', `suites?filter=isImplicit==false,code==${own.code}`))).items).toEqual([])
  })

  test("a code is one suite's, products' own included", async () => {
    const cad = await admin.newProduct()
    const taken = await admin.at('POST', 'suites', { code: `${cad.productCode}@2.0`, name: 'x' })
    expect(problemOf(taken)).toEqual([409, 'catalog.duplicate_key'])
    const mine = await admin.newSuite([])
    const other = await admin.newSuite([])
    expect(problemOf(await patch(mine.id, { code: other.code }))).toEqual([409, 'catalog.duplicate_key'])
    expect((await must(patch(mine.id, { code: `${mine.code}-2` }))).code).toBe(`${mine.code}-2`)
  })

  test('a suite with plan sets and add-ons is not deleted, and the refusal names them', async () => {
    const cad = await admin.newProduct()
    const suite = await admin.newSuite([cad.id])
    const set = await admin.newPlanSet({ suiteId: suite.id })
    const addOn = await admin.post('add-ons', { suiteId: suite.id, code: `PACK-${nextNumber()}`, name: 'Pack' })
    const before = await catalogRevision(server)
    const refused = await admin.at('DELETE', `suites/${suite.id}`)
    expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
    expect(refused.body.detail).toContain(`add-on:${addOn.code}, plan-set:${suite.code}/${set.name}`)
    expect(await catalogRevision(server)).toBe(before)
    await must(admin.at('DELETE', `usage-plans/plan-sets/${set.id}`))
    await must(admin.at('DELETE', `add-ons/${addOn.id}`))
    await must(admin.at('DELETE', `suites/${suite.id}`))
  })

  test('a product leaves a suite only when no plan set or add-on of the suite speaks of it', async () => {
    const [cad, cam, cut] = [await admin.newProduct(), await admin.newProduct(), await admin.newProduct()]
    const render = await admin.newFeature(cam.id, 'RENDER')
    await admin.newFeature(cut.id, 'CUT')
    const suite = await admin.newSuite([cad.id, cam.id, cut.id])
    const set = await admin.newPlanSet(
      { suiteId: suite.id },
      { plans: [{ name: 'Pro', lineItems: [{ productId: cad.id }] }] },
    )
    const about = { suiteId: suite.id, name: 'x' }
    const featured = await admin.post('add-ons', { ...about, code: `A-${nextNumber()}`, features: [{ id: render.id }] })
    const valued = await admin.post('add-ons', {
      ...about,
      code: `B-${nextNumber()}`,
      featureValues: [{ featureCode: 'CUT', value: true }],
    })
    const without = (leaver: { id: string }) =>
      patch(suite.id, { members: [cad, cam, cut].filter((p) => p !== leaver).map(({ id }) => ({ productId: id })) })
    for (const [leaver, user] of [
      [cad, `plan-set:${suite.code}/${set.name}`],
      [cam, `add-on:${featured.code}`],
      [cut, `add-on:${valued.code}`],
    ]) {
      const refused = await without(leaver)
      expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
      expect(refused.body.detail).toContain(`used by ${user}.`)
    }
    await must(admin.at('DELETE', `add-ons/${featured.id}`))
    expect((await must(without(cam))).members).toHaveLength(2)
  })
})
