import { expect, test } from 'vitest'
import { planSetContracts } from '../../../server/catalog/plan-sets/contract.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { catalogRevision, must, nextNumber, noSuchId, problemOf, testCollection } from './catalog-collection.ts'
import { adminOf, pointersOf } from './things-to-sell.ts'

const collection = 'usage-plans/plan-sets'
type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const admin = adminOf(server)

  const one = (method: string, id: string, body?: object) => admin.at(method, `${collection}/${id}`, body)
  const patch = (id: string, body: object) => one('PATCH', id, body)
  const act = (id: string, action: string) => admin.at('POST', `${collection}/${id}/${action}`)

  testCollection(() => server, {
    path: `/api/v1/provision/admin/${collection}`,
    body: async (_server, n) => ({
      productId: (await admin.newProduct()).id,
      name: `Plans ${n}`,
      description: 'What we sell',
      plans: [{ name: 'Pro', monthlyPrice: '19.99', currency: 'EUR', lineItems: [{}] }],
    }),
    rename: (n) => ({ name: `Renamed ${n}` }),
    alter: { description: 'Said elsewhere' },
    fields: ['name', 'description', 'status', 'plans'],
    filterable: planSetContracts.list.filterable,
    actions: ['publish', 'retire'],
  })

  test('a plan set is answered whole, with every default, plans by their sort order', async () => {
    const product = await admin.newProduct()
    await admin.newFeature(product.id, 'SEATS', { featureType: 'Numeric' })
    const plans = [
      {
        name: 'Pro',
        sortOrder: '2',
        monthlyPrice: '19.99',
        currency: 'EUR',
        lineItems: [
          {
            featureValues: [
              {
                featureCode: 'SEATS',
                metricName: 'seats',
                enforcementType: 'TieredAbsolute',
                value: 5,
                usageTiers: [
                  { name: 'in', endUsage: '5' },
                  { startUsage: 5, quotaUsagePolicy: 'Deny' },
                ],
              },
            ],
          },
        ],
      },
      { name: 'Free', sortOrder: 1, monthlyPrice: 0 },
    ]
    const created = await admin.newPlanSet({ productId: product.id }, { name: 'Whole', plans })
    const { id, suiteId, createdAt, updatedAt, revisionDate, ...rest } = created
    expect([typeof id, createdAt, updatedAt]).toEqual(['string', revisionDate, revisionDate])
    const suite = await must(admin.at('GET', `suites/${suiteId}`))
    expect([suite.isImplicit, suite.members[0].productId]).toEqual([true, product.id])
    const bareTier = { startUsage: null, endUsage: null, startPercentage: null, endPercentage: null, baseCredits: 0 }
    const tier = {
      ...{ name: null, ...bareTier, creditsPerUnitOfConsumption: 0, quotaUsageLevel: 'None' },
      ...{ quotaUsagePolicy: 'None', fundingBalanceMetric: null },
    }
    const plan = { description: null, pricingMode: 'Absolute', currency: null, relativeWeight: null, lineItems: [] }
    expect(rest).toEqual({
      name: 'Whole',
      description: null,
      status: 'Draft',
      plans: [
        { id: expect.any(String), name: 'Free', ...plan, sortOrder: 1, monthlyPrice: 0 },
        {
          ...plan,
          id: expect.any(String),
          name: 'Pro',
          sortOrder: 2,
          monthlyPrice: 19.99,
          currency: 'EUR',
          lineItems: [
            {
              productId: product.id,
              included: true,
              featureValues: [
                {
                  featureCode: 'SEATS',
                  metricName: 'seats',
                  enforcementType: 'TieredAbsolute',
                  value: '5',
                  usageTiers: [
                    { ...tier, name: 'in', endUsage: 5 },
                    { ...tier, startUsage: 5, quotaUsagePolicy: 'Deny' },
                  ],
                },
              ],
            },
          ],
        },
      ],
      isDeleted: false,
      revisionNumber: 1,
    })
  })

  test('a set belongs to one suite, named by suiteId or productId', async () => {
    const product = await admin.newProduct()
    const suite = await admin.newSuite([product.id])
    for (const [body, pointer] of [
      [{}, '/suiteId'],
      [{ suiteId: null, productId: null }, '/suiteId'],
      [{ suiteId: suite.id, productId: product.id }, '/productId'],
      [{ suiteId: noSuchId }, '/suiteId'],
      [{ productId: noSuchId }, '/productId'],
      [{ productId: suite.id }, '/productId'],
    ] as const)
      expect(pointersOf(await admin.at('POST', collection, { name: 'Set', ...body }))).toEqual([
        400,
        'license.validation_error',
        [pointer],
      ])
    expect((await admin.newPlanSet({ suiteId: suite.id })).suiteId).toBe(suite.id)
    const name = `Same ${nextNumber()}`
    await admin.newPlanSet({ suiteId: suite.id }, { name })
    const own = await admin.newPlanSet({ productId: product.id }, { name })
    const { suiteId } = own
    expect(await must(admin.at('PUT', `${collection}/${own.id}`, { suiteId, name }))).toEqual(own)
    expect(await must(admin.at('PATCH', `${collection}/${own.id}`, { suiteId: suiteId.toUpperCase() }))).toEqual(own)
    for (const method of ['PUT', 'PATCH'] as const) {
      const moved = await admin.at(method, `${collection}/${own.id}`, { suiteId: suite.id, name })
      expect(pointersOf(moved)).toEqual([400, 'license.validation_error', ['/suiteId']])
    }
    const again = await admin.at('POST', collection, { suiteId: suite.id.toUpperCase(), name })
    expect(problemOf(again)).toEqual([409, 'catalog.duplicate_key'])
  })

  test('a line item leaves out its product only on create in a suite of one', async () => {
    const [cad, cam] = [await admin.newProduct(), await admin.newProduct()]
    const [one_, two] = [await admin.newSuite([cad.id]), await admin.newSuite([cad.id, cam.id])]
    const plans = [{ name: 'Pro', lineItems: [{ included: false }] }]
    const set = await admin.newPlanSet({ suiteId: one_.id }, { plans })
    expect(set.plans[0].lineItems).toEqual([{ productId: cad.id, included: false, featureValues: [] }])
    const refusal = [400, 'license.validation_error', ['/plans/0/lineItems/0/productId']]
    expect(pointersOf(await admin.at('POST', collection, { suiteId: two.id, name: 'x', plans }))).toEqual(refusal)
    expect(pointersOf(await patch(set.id, { plans }))).toEqual(refusal)
    expect(pointersOf(await one('PUT', set.id, { name: 'x', plans }))).toEqual(refusal)
    for (const productId of [cam.id, noSuchId])
      expect(pointersOf(await patch(set.id, { plans: [{ name: 'Pro', lineItems: [{ productId }] }] }))).toEqual(refusal)
  })

  const broken: [string, object[], string[]][] = [
    ['an Absolute plan with a relativeWeight', [{ name: 'A', relativeWeight: 1 }], ['/plans/0/relativeWeight']],
    ['a weight of zero', [{ name: 'A', relativeWeight: '0' }], ['/plans/0/relativeWeight']],
    [
      'a Relative plan with a price and a currency',
      [{ name: 'A', pricingMode: 'Relative', monthlyPrice: 0, currency: 'EUR' }],
      ['/plans/0/monthlyPrice', '/plans/0/currency'],
    ],
    [
      'plans of two modes',
      [
        { name: 'B', sortOrder: 9 },
        { name: 'A', pricingMode: 'Relative' },
      ],
      ['/plans/0/pricingMode'],
    ],
    ['a positive price without a currency', [{ name: 'A', monthlyPrice: 0.01 }], ['/plans/0/currency']],
    ['a currency that is none', [{ name: 'A', monthlyPrice: 1, currency: 'euro' }], ['/plans/0/currency']],
    ['a currency that nobody has', [{ name: 'A', monthlyPrice: 1, currency: 'QQQ' }], ['/plans/0/currency']],
    ['a negative price', [{ name: 'A', monthlyPrice: -1, currency: 'EUR' }], ['/plans/0/monthlyPrice']],
    [
      'a price that a double would round',
      [{ name: 'A', monthlyPrice: '0.12345678901234567890' }],
      ['/plans/0/monthlyPrice'],
    ],
    ['a price that is no number', [{ name: 'A', monthlyPrice: '1,5' }], ['/plans/0/monthlyPrice']],
    ['two plans of one name', [{ name: 'A' }, { name: 'A' }], ['/plans/0']],
    ['a plan without a name', [{ description: 'x' }], ['/plans/0/name']],
    ['a field that there is not', [{ name: 'A', montlyPrice: 1 }], ['/plans/0/montlyPrice']],
  ]
  test.each(broken)('%s is refused on every path, and nothing changes', async (_what, plans, pointers) => {
    const product = await admin.newProduct()
    const set = await admin.newPlanSet({ productId: product.id }, { plans: [{ name: 'Kept' }] })
    const revision = await catalogRevision(server)
    const answers = [
      await admin.at('POST', collection, { productId: product.id, name: 'New', plans }),
      await patch(set.id, { plans }),
      await one('PUT', set.id, { name: 'New', plans }),
    ]
    for (const answer of answers) expect(pointersOf(answer)).toEqual([400, 'license.validation_error', pointers])
    for (const [procedure, input] of [
      ['create', { productId: product.id, name: 'New', plans }],
      ['update', { id: set.id, plans }],
      ['replace', { id: set.id, name: 'New', plans }],
    ] as const) {
      const answer = await server.api('POST', `/trpc/admin.planSets.${procedure}`, { body: input })
      const problem = answer.body.error
      expect([answer.status, problem.codeName, problem.errors.map((error: Json) => error.pointer)]).toEqual([
        400,
        'license.validation_error',
        pointers,
      ])
    }
    const item = { suiteCode: `${product.productCode}@2.0`, name: 'New', plans }
    const imported = await admin.at('POST', 'catalog/import', { formatVersion: '1.0', plans: [item] })
    expect(imported.status).toBe(400)
    expect(await must(one('GET', set.id))).toEqual(set)
    expect(await catalogRevision(server)).toBe(revision)
  })

  test('a price of zero, a price not given and a weight not given are three things', async () => {
    const product = await admin.newProduct()
    const plans = [
      { name: 'Free', monthlyPrice: 0, currency: 'eur' },
      { name: 'Later', monthlyPrice: null, currency: '' },
      { name: 'Pro', monthlyPrice: 1e2, currency: 'EUR' },
    ]
    const set = await admin.newPlanSet({ productId: product.id }, { plans })
    const pricesOf = ({ plans }: Json) => plans.map(({ monthlyPrice }: Json) => monthlyPrice)
    expect(pricesOf(set)).toEqual([0, null, 100])
    expect(set.plans.map(({ currency }: Json) => currency)).toEqual(['eur', '', 'EUR'])
    const unpriced = await must(patch(set.id, { plans: [plans[0], plans[1], { name: 'Pro', currency: 'EUR' }] }))
    expect(pricesOf(unpriced)).toEqual([0, null, null])
    const relative = ['0', null, '2.5'].map((relativeWeight, n) => ({
      ...{ name: `P${n}`, pricingMode: 'Relative', relativeWeight },
    }))
    const weighed = await must(patch(set.id, { plans: relative }))
    expect(weighed.plans.map((plan: Json) => plan.relativeWeight)).toEqual([0, null, 2.5])
  })

  test('null keeps the plans, an empty list leaves none, a list replaces them all', async () => {
    const product = await admin.newProduct()
    const set = await admin.newPlanSet({ productId: product.id }, { plans: [{ name: 'A' }, { name: 'B' }] })
    for (const method of ['PUT', 'PATCH']) {
      const kept = await must(one(method, set.id, { name: `${set.name} ${method}`, plans: null, description: null }))
      expect(kept.plans).toEqual(set.plans)
    }
    const replaced = await must(one('PUT', set.id, { name: set.name, plans: [{ name: 'C' }, { name: 'B' }] }))
    expect(replaced.plans.map(({ name }: Json) => name)).toEqual(['C', 'B'])
    expect((await must(one('PUT', set.id, { name: set.name, plans: [] }))).plans).toEqual([])
  })

  test('a plan keeps its id by name, or by the id under which it is renamed', async () => {
    const product = await admin.newProduct()
    const set = await admin.newPlanSet({ productId: product.id }, { plans: [{ name: 'A' }, { name: 'B' }] })
    const idsOf = ({ plans }: Json) => Object.fromEntries(plans.map(({ id, name }: Json) => [name, id]))
    const { A, B } = idsOf(set)
    const renamed = await must(
      patch(set.id, {
        plans: [
          { name: 'A', monthlyPrice: 0 },
          { id: B, name: 'C' },
        ],
      }),
    )
    expect(idsOf(renamed)).toEqual({ A, C: B })
    const again = await must(patch(set.id, { plans: renamed.plans }))
    expect(again).toEqual(renamed)
    const swapped = await must(
      patch(set.id, {
        plans: [
          { id: A, name: 'C' },
          { id: B, name: 'A', monthlyPrice: 0 },
        ],
      }),
    )
    expect(idsOf(swapped)).toEqual({ C: A, A: B })
    const foreign = await patch(set.id, { plans: [{ id: set.id, name: 'A' }] })
    expect(pointersOf(foreign)).toEqual([400, 'license.validation_error', ['/plans/0/id']])
    const created = await admin.at('POST', collection, {
      productId: product.id,
      name: 'x',
      plans: [{ id: A, name: 'A' }],
    })
    expect(pointersOf(created)).toEqual([400, 'license.validation_error', ['/plans/0/id']])
  })

  test('a feature value is about a feature of its product, fits it and stands once', async () => {
    const product = await admin.newProduct({ features: [{ featureCode: 'ATTACHED' }] })
    await admin.newFeature(product.id, 'TIER', {
      featureType: 'Enumeration',
      enumOptions: [{ value: 'gold' }, { value: 'tin' }],
    })
    const other = await admin.newProduct()
    await admin.newFeature(other.id, 'ELSEWHERE')
    const values = (...featureValues: object[]) => [
      { name: 'Pro', lineItems: [{ productId: product.id, featureValues }] },
    ]
    const set = await admin.newPlanSet({ productId: product.id })
    const good = await must(
      patch(set.id, {
        plans: values({ featureCode: 'TIER', value: 'gold' }, { featureCode: 'ATTACHED', value: true }),
      }),
    )
    expect(good.plans[0].lineItems[0].featureValues.map(({ value }: Json) => value)).toEqual(['true', 'gold'])
    const at = (index: number, field: string) => [`/plans/0/lineItems/0/featureValues/${index}${field}`]
    for (const [featureValues, pointers] of [
      [[{ featureCode: 'ELSEWHERE' }], at(0, '/featureCode')],
      [[{ featureCode: 'ATTACHED' }, { featureCode: 'tier' }], at(1, '/featureCode')],
      [[{ featureCode: 'TIER', value: 'lead' }], at(0, '/value')],
      [[{ featureCode: 'ATTACHED' }, { featureCode: 'ATTACHED' }], at(0, '')],
      [[{ featureCode: 'ATTACHED', usageTiers: [{ startUsage: 5, endUsage: 5 }] }], at(0, '/usageTiers/0/endUsage')],
      [[{ featureCode: 'ATTACHED', metricName: 'Upper' }], at(0, '/metricName')],
    ] as const)
      expect(pointersOf(await patch(set.id, { plans: values(...featureValues) }))).toEqual([
        400,
        'license.validation_error',
        pointers,
      ])
    const twice = [{ name: 'Pro', lineItems: [{ productId: product.id }, { productId: product.id }] }]
    expect(pointersOf(await patch(set.id, { plans: twice }))[2]).toEqual(['/plans/0/lineItems/0'])
  })

  test('a set is published and retired, one step at a time, by action or by status', async () => {
    const product = await admin.newProduct()
    const set = await admin.newPlanSet({ productId: product.id })
    expect(problemOf(await act(set.id, 'retire'))).toEqual([409, 'catalog.invalid_transition'])
    expect(problemOf(await patch(set.id, { status: 'Retired' }))).toEqual([409, 'catalog.invalid_transition'])
    const published = await must(act(set.id, 'publish'))
    expect(published).toMatchObject({ status: 'Published', revisionNumber: 2 })
    expect(problemOf(await act(set.id, 'publish'))).toEqual([409, 'catalog.invalid_transition'])
    expect(problemOf(await patch(set.id, { status: 'Draft' }))).toEqual([409, 'catalog.invalid_transition'])
    const edited = await must(patch(set.id, { status: 'Published', plans: [{ name: 'Late' }] }))
    expect(edited.plans).toHaveLength(1)
    expect((await must(one('PUT', set.id, { name: 'x', status: 'Retired' }))).status).toBe('Retired')
    expect(problemOf(await act(set.id, 'publish'))).toEqual([409, 'catalog.invalid_transition'])
    expect((await admin.newPlanSet({ productId: product.id }, { status: 'Published' })).status).toBe('Published')
    expect(pointersOf(await patch(set.id, { status: 'published' }))[2]).toEqual(['/status'])
    const stale = await admin.at('POST', `${collection}/${set.id}/publish`, undefined, { 'if-match': '"1"' })
    expect(stale.status).toBe(412)
  })

  test('a plan that an offer starts on neither leaves its set nor goes with it', async () => {
    const product = await admin.newProduct()
    const set = await admin.newPlanSet({ productId: product.id }, { plans: [{ name: 'A' }, { name: 'B' }] })
    const offer = await admin.post('entitlements/offers', {
      name: `Offer ${nextNumber()}`,
      version: '1',
      assignedPlanSetId: set.id,
      assignedPlanName: 'A',
    })
    const key = `offer:${offer.name}@1`
    for (const refused of [
      await one('DELETE', set.id),
      await patch(set.id, { plans: [{ name: 'B' }] }),
      await one('PUT', set.id, { name: 'x', plans: [] }),
      await patch(set.id, { plans: [{ id: set.plans[0].id, name: 'A2' }, { name: 'B' }] }),
    ]) {
      expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
      expect(refused.body.detail).toContain(key)
    }
    await must(patch(set.id, { plans: [{ name: 'A' }] }))
    await must(admin.at('DELETE', `entitlements/offers/${offer.id}`))
    await must(one('DELETE', set.id))
  })

  test('a plan that a released add-on acts on stays, unless another set of the suite has one by its name', async () => {
    const product = await admin.newProduct({ features: [{ featureCode: 'SEATS', featureType: 'Numeric' }] })
    const owner = { productId: product.id }
    const set = await admin.newPlanSet(owner, { plans: [{ name: 'A' }, { name: 'B' }] })
    const featureValues = [{ featureCode: 'SEATS', value: '5', operation: 'Add', planTargets: ['A'] }]
    const addOn = await admin.post('add-ons', { ...owner, code: `MORE-${nextNumber()}`, name: 'More', featureValues })
    const [a, b] = set.plans
    await must(patch(set.id, { plans: [{ id: a.id, name: 'A2' }, b] }))
    await must(patch(set.id, { plans: [{ id: a.id, name: 'A' }, b] }))
    await must(admin.at('POST', `add-ons/${addOn.id}/publish`))
    for (const plans of [[{ id: a.id, name: 'A2' }, b], [b]]) {
      const refused = await patch(set.id, { plans })
      expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
      expect(refused.body.detail).toBe(`A plan that would leave the set is used by add-on:${addOn.code}.`)
    }
    await must(patch(set.id, { plans: [a, { id: b.id, name: 'B2' }] }))
    await admin.newPlanSet(owner, { plans: [{ name: 'A' }] })
    await must(patch(set.id, { plans: [{ id: a.id, name: 'A2' }, b] }))
  })

  test("the neighbour's suites and products cannot be named", async () => {
    const theirs = await must(
      server.api('POST', '/api/v1/provision/admin/products', {
        tenant: 'neighbour',
        body: { productCode: `T-${nextNumber()}`, name: 'Theirs' },
      }),
    )
    const refused = await admin.at('POST', collection, { productId: theirs.id, name: 'x' })
    expect(pointersOf(refused)).toEqual([400, 'license.validation_error', ['/productId']])
  })
})
