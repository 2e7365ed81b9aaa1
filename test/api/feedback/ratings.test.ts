import { beforeAll, expect, test } from 'vitest'
import { ratingCampaignContracts } from '../../../server/feedback/rating-campaigns/contract.ts'
import { listRatings } from '../../../server/feedback/ratings/contract.ts'
import type { CallOptions } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { devicesOf } from '../activations/devices.ts'
import { must, nextNumber, noSuchId, problemOf, testCollection } from '../catalog/catalog-collection.ts'

type Json = ReturnType<typeof JSON.parse>

const path = '/api/v1/provision/admin/rating-campaigns'
const zeros = '00000000-0000-0000-0000-000000000000'

forEachStore((store) => {
  const server = serveTests(store)
  const sandbox = devicesOf(server, { tenant: 'sandbox' })
  const live = devicesOf(server)

  /** A product with these features, its catalog entries by code. */
  async function newProduct(codes: string[], { post }: typeof sandbox = sandbox) {
    const product = await post('admin/products', { productCode: `RATED-${nextNumber()}`, name: 'Rated' })
    const features: Json = {}
    for (const featureCode of codes)
      features[featureCode] = await post('admin/feature-catalog', {
        ...{ productId: product.id, featureCode, name: `The ${featureCode}` },
      })
    return { product, features }
  }

  let slice: Json
  beforeAll(async () => {
    slice = (await newProduct(['SLICE'], live)).features.SLICE
  })

  testCollection(() => server, {
    path,
    body: async (_server, n) => {
      const targets = [{ featureCatalogId: slice.id, question: 'Well?', priority: 1 }]
      return { name: `Spring ${n}`, description: 'How is it?', startsAt: '2027-03-01T00:00:00Z', targets }
    },
    rename: (n) => ({ name: `Autumn ${n}` }),
    alter: { isEnabled: false },
    fields: ['name', 'description', 'isEnabled', 'startsAt', 'endsAt', 'targets'],
    filterable: ratingCampaignContracts.list.filterable,
    hasNoKey: true,
  })

  /** A user with a device of theirs, on an entitlement to a product that has these features. */
  async function newRater(codes: string[]) {
    const { product, features } = await newProduct(codes)
    const entitlement = await sandbox.newEntitlement({ products: [{ productId: product.id }] })
    const given = codes.map((featureCode) => ({ productId: product.id, featureCode, value: 'true' }))
    await sandbox.patch(`admin/entitlements/${entitlement.id}`, { features: given })
    const user = await sandbox.post('admin/users', { email: `rater${nextNumber()}@x.example` })
    await sandbox.post(`admin/entitlements/${entitlement.id}/principals/${user.id}`)
    const token: string = (await sandbox.post(`operational/users/${user.id}/tokens`)).access_token
    const newDevice = async (): Promise<Json> => {
      const body = { useInteractiveUser: true, fingerprint: `rater ${nextNumber()}` }
      return must(sandbox.at('POST', 'activations/license', { token, body }))
    }
    return { product, features, entitlement, user, token, newDevice, device: await newDevice() }
  }
  const newCampaign = (targets: object[], more: object = {}) =>
    sandbox.post('admin/rating-campaigns', { name: `Campaign ${nextNumber()}`, targets, ...more })
  const prompt = async ({ token, session }: Json) => {
    const answer = await must(sandbox.at('GET', `usage/sessions/${session.id}/rating-prompt`, { token }))
    return answer.prompt
  }
  const rate = (token: string, body: object, more: CallOptions = {}) =>
    sandbox.at('POST', 'consumer/me/rating', { token, body, ...more })
  const used = (transactionId: number, featureCode: string, occurredAt: string) => ({
    ...{ transactionId, eventName: 'FeatureUsed', eventData: JSON.stringify({ featureCode, occurredAt }) },
  })
  const withdraw = (id: string) => must(sandbox.at('DELETE', `admin/rating-campaigns/${id}`))

  test('the prompt goes by priority, then by use, and asks about nothing twice', async () => {
    const { product, features, entitlement, device, newDevice, user } = await newRater(['A', 'B', 'C', 'D', 'E', 'F'])
    const { SLICE: foreign } = (await newProduct(['SLICE'])).features
    expect(await prompt(device)).toBeNull()
    const target = (code: string, priority: number | null, question?: string) => ({
      ...{ featureCatalogId: features[code].id, priority, question },
    })
    const campaign = await newCampaign([
      { featureCatalogId: foreign.id, priority: -5 },
      ...[target('A', null, 'How is A?'), target('B', null), target('C', 2), target('D', 2), target('E', 1, '')],
      target('F', 0),
    ])
    expect(campaign).toMatchObject({ isRunning: true, isEnabled: true, startsAt: null })
    expect(campaign.targets[1]).toEqual({
      ...{ featureCatalogId: features.A.id, question: 'How is A?', priority: null },
      ...{ featureCode: 'A', featureName: 'The A' },
    })
    await must(
      sandbox.at('PATCH', `admin/entitlements/${entitlement.id}`, {
        body: { features: [{ productId: product.id, featureCode: 'F', value: 'false' }] },
      }),
    )
    const { now } = await sandbox.get('admin/test-clock')
    const ago = (hours: number) => new Date(Date.parse(now) - hours * 3_600_000).toISOString()
    const records = [
      ...[used(1, 'A', ago(1)), used(2, 'D', ago(2)), used(3, 'D', ago(3)), used(4, 'C', ago(4))],
      // The clock of this device was wrong.
      ...[used(5, 'C', ago(-24)), used(6, 'C', ago(73))],
    ]
    const upload = (where: string, body: object[]) =>
      must(sandbox.at('POST', `usage/${where}/transactions`, { token: device.token, body }))
    await upload(`sessions/${device.session.id}`, records)
    expect(await prompt(device)).toEqual({
      ...{ campaignId: campaign.id, featureId: features.E.id, featureCode: 'E', featureName: 'The E' },
      ...{ productId: product.id, question: 'How do you like The E?', priority: 1 },
    })
    const other = await newDevice()
    const order: string[] = []
    for (let next = await prompt(device); next; next = await prompt(device)) {
      order.push(next.featureCode)
      const { featureId, productId } = next
      const { session, token } = order.length % 2 === 0 ? other : device
      await must(rate(token, { sessionId: session.id, productId, featureId, rating: order.length }))
      expect((await prompt(device))?.featureCode).not.toBe(next.featureCode)
    }
    expect(order).toEqual(['E', 'D', 'C', 'A'])
    await upload(`entitlements/${entitlement.id}`, [used(1, 'B', ago(3))])
    expect([(await prompt(device)).featureCode, (await prompt(other)).featureCode]).toEqual(['B', 'B'])
    const code = await sandbox.newCode(entitlement.id)
    const stranger = await sandbox.newDevice(code.activationCode)
    expect((await prompt(stranger)).featureCode).toBe('E')
    const mine = await sandbox.get(`admin/ratings?filter=campaignIds@=${campaign.id},userId==${user.id}`)
    expect(mine.items.map((rating: Json) => [rating.featureCode, rating.rating])).toEqual([
      ...[
        ['E', 1],
        ['D', 2],
      ],
      ...[
        ['C', 3],
        ['A', 4],
      ],
    ])
    await withdraw(campaign.id)
    expect(await prompt(stranger)).toBeNull()
  })

  test('a campaign asks while it runs, about what is still in the catalog', async () => {
    const { product, features, entitlement, device } = await newRater(['A', 'B'])
    const targets = ['A', 'B'].map((code, priority) => ({ featureCatalogId: features[code].id, priority }))
    const { now } = await sandbox.get('admin/test-clock')
    const at = (minutes: number) => new Date(Date.parse(now) + minutes * 60_000).toISOString()
    const campaign = await newCampaign(targets, { startsAt: at(30), endsAt: at(60) })
    const state = async () => [
      (await sandbox.get(`admin/rating-campaigns/${campaign.id}`)).isRunning,
      (await sandbox.get(`admin/rating-campaigns?filter=isRunning==true,id==${campaign.id}`)).totalCount,
      (await prompt(device))?.featureCode,
    ]
    expect(await state()).toEqual([false, 0, undefined])
    await sandbox.advance({ to: at(30) })
    expect(await state()).toEqual([true, 1, 'A'])
    const body = { sessionId: device.session.id, productId: product.id, featureCode: 'A', rating: '5' }
    const second = await newCampaign(targets.slice(0, 1))
    expect((await must(rate(device.token, body))).campaignIds).toEqual([campaign.id, second.id].sort())
    expect((await state())[2]).toBe('B')
    await withdraw(second.id)
    expect(await prompt(await newCampaign(targets.slice(0, 1)).then(() => device))).toMatchObject({ featureCode: 'A' })
    const held = `admin/entitlements/${entitlement.id}`
    await must(sandbox.at('DELETE', `${held}/products/${product.id}`))
    await sandbox.post(`${held}/products/${product.id}`)
    await sandbox.patch(held, { features: [{ productId: product.id, featureCode: 'B', value: 'true' }] })
    await must(sandbox.at('DELETE', `admin/feature-catalog/${features.A.id}`))
    expect((await state())[2]).toBe('B')
    const left = await sandbox.patch(`admin/rating-campaigns/${campaign.id}`, { description: 'B is left' })
    expect(left.targets.map(({ featureCode }: Json) => featureCode)).toEqual(['B'])
    await sandbox.advance({ to: at(60) })
    expect(await state()).toEqual([false, 0, undefined])
    const patch = (fields: object) => sandbox.patch(`admin/rating-campaigns/${campaign.id}`, fields)
    expect(await patch({ clearEndsAt: true })).toMatchObject({ isRunning: true, endsAt: null })
    expect(await patch({ isEnabled: false })).toMatchObject({ isRunning: false })
    expect(await prompt(device)).toBeNull()
  })

  test('an answer counts while its campaign is paused or over, and not before it has begun', async () => {
    const { product, features, device } = await newRater(['A'])
    const targets = [{ featureCatalogId: features.A.id, priority: 1 }]
    const { now } = await sandbox.get('admin/test-clock')
    const at = (minutes: number) => new Date(Date.parse(now) + minutes * 60_000).toISOString()
    const patch = ({ id }: Json, fields: object) => sandbox.patch(`admin/rating-campaigns/${id}`, fields)
    const paused = await newCampaign(targets)
    expect(await prompt(device)).toMatchObject({ campaignId: paused.id })
    await patch(paused, { isEnabled: false })
    const over = await newCampaign(targets, { startsAt: at(-60), endsAt: at(-30) })
    const [later, withdrawn] = [await newCampaign(targets, { startsAt: at(30) }), await newCampaign(targets)]
    await withdraw(withdrawn.id)
    const body = { sessionId: device.session.id, productId: product.id, featureCode: 'A', rating: 4 }
    expect((await must(rate(device.token, body))).campaignIds).toEqual([paused.id, over.id].sort())
    await patch(paused, { isEnabled: true })
    await patch(over, { clearEndsAt: true })
    expect(await prompt(device)).toBeNull()
    await patch(later, { clearStartsAt: true })
    expect(await prompt(device)).toMatchObject({ campaignId: later.id })
    for (const { id } of [paused, over, later]) await withdraw(id)
  })

  test('targets are replaced as a whole, each an entry of the catalog and named once', async () => {
    const { features } = await newProduct(['A', 'B'])
    const [a, b] = [features.A.id, features.B.id]
    const { id } = await newCampaign([{ featureCatalogId: a.toUpperCase(), question: '', priority: '3' }])
    const put = (body: object) => sandbox.at('PUT', `admin/rating-campaigns/${id}`, { body: { name: 'Put', ...body } })
    expect((await must(put({}))).targets).toMatchObject([{ featureCatalogId: a, question: null, priority: 3 }])
    expect((await must(put({ targets: [{ featureCatalogId: b }] }))).targets).toEqual([
      { featureCatalogId: b, question: null, priority: null, featureCode: 'B', featureName: 'The B' },
    ])
    const theirs = (await newProduct(['A'], live)).features.A.id
    for (const [targets, pointer] of [
      [[{ featureCatalogId: b }, { featureCatalogId: theirs }], '/targets/1/featureCatalogId'],
      [[{ featureCatalogId: noSuchId }], '/targets/0/featureCatalogId'],
      [[{ featureCatalogId: b }, { featureCatalogId: b }], '/targets/1/featureCatalogId'],
      [[{}], '/targets/0/featureCatalogId'],
      [[{ featureCatalogId: b, weight: 1 }], '/targets/0/weight'],
    ] as const)
      expect(await put({ targets })).toMatchObject({ status: 400, body: { errors: [{ pointer }] } })
    const over = { startsAt: '2027-03-02T00:00:00Z', endsAt: '2027-03-02T00:00:00Z' }
    expect(await put(over)).toMatchObject({ status: 400, body: { errors: [{ pointer: '/endsAt' }] } })
    expect((await must(put({ targets: [] }))).targets).toEqual([])
    await withdraw(id)
  })

  test('a feature is rated by the id of its catalog entry, or that of its product or entitlement', async () => {
    const { product, features, entitlement, device } = await newRater(['A'])
    const attached = [{ featureCode: 'A' }, { featureCode: 'PLAIN' }]
    const withOwn = await sandbox.patch(`admin/products/${product.id}`, { features: attached })
    const given = attached.map((feature) => ({ ...feature, productId: product.id, value: 'true' }))
    const held = await sandbox.patch(`admin/entitlements/${entitlement.id}`, { features: given })
    for (const { id: featureId, featureCode } of [...withOwn.features, ...held.features]) {
      const about = { sessionId: device.session.id, productId: product.id, featureId, featureCode }
      expect(await must(rate(device.token, { ...about, rating: 4 }))).toMatchObject({
        ...{ featureCode, featureId: featureCode === 'A' ? features.A.id : null },
      })
      const other = featureCode === 'A' ? 'PLAIN' : 'A'
      expect((await rate(device.token, { ...about, featureCode: other, rating: 4 })).status).toBe(400)
    }
  })

  test('the product need not be said where only one could be meant', async () => {
    const { product, features, device } = await newRater(['A'])
    const said = { sessionId: device.session.id, rating: 2 }
    const rated = { productId: product.id, featureId: features.A.id, featureCode: 'A' }
    expect(await must(rate(device.token, { ...said, featureCode: 'A' }))).toMatchObject(rated)
    expect(await must(rate(device.token, { ...said, featureId: features.A.id, productId: null }))).toMatchObject(rated)
    const whole = { productId: product.id, featureId: null }
    expect(await must(rate(device.token, { ...said, featureId: zeros }))).toMatchObject(whole)
  })

  test('of a licensed product a feature may be rated that the entitlement has not got', async () => {
    const { product, device } = await newRater(['A'])
    const entry = await sandbox.post('admin/feature-catalog', {
      productId: product.id,
      featureCode: 'LATER',
      name: 'Later',
    })
    const rated = { productId: product.id, featureId: entry.id, featureCode: 'LATER' }
    for (const by of [{ featureId: entry.id }, { featureCode: 'LATER' }])
      expect(await must(rate(device.token, { sessionId: device.session.id, rating: 2, ...by }))).toMatchObject(rated)
  })

  test('a rating is from 1 to 5 or a remark, of what is licensed, by whose session it is', async () => {
    const [rater, other] = [await newRater(['A']), await newRater(['A'])]
    const { product, features, device, token } = rater
    const about = { sessionId: device.session.id, productId: product.id, featureId: features.A.id }
    const kept = await must(rate(token, { ...about, featureCode: 'A', rating: 5, remark: ' Fine. ' }))
    expect(kept).toEqual({
      ...{ id: expect.any(String), sessionId: device.session.id, userId: rater.user.id },
      ...{ entitlementId: rater.entitlement.id, productId: product.id, featureId: features.A.id, featureCode: 'A' },
      ...{ campaignIds: [], rating: 5, remark: 'Fine.', createdAt: expect.any(String) },
    })
    const whole = { ...about, featureId: zeros, rating: null, remark: 'All in all' }
    expect(await must(rate(device.token, whole))).toMatchObject({ featureId: null, featureCode: null, rating: null })
    for (const wrong of [
      ...[{ rating: 0 }, { rating: 6 }, { rating: 2.5 }, { rating: '' }, { rating: true }, {}, { remark: '  ' }],
      ...[
        { rating: 3, productId: other.product.id },
        { rating: 3, featureId: other.features.A.id },
      ],
      ...[
        { rating: 3, featureCode: 'B' },
        { rating: 3, stars: 3 },
        { rating: 3, remark: 'x'.repeat(4001) },
      ],
    ])
      expect([wrong, ...problemOf(await rate(token, { ...about, ...wrong }))]).toEqual([
        ...[wrong, 400, 'license.validation_error'],
      ])
    for (const who of [other.token, other.device.token])
      expect(problemOf(await rate(who, { ...about, rating: 3 }))).toEqual([403, 'auth.insufficient_scope'])
    for (const who of [server.tokens.sandbox, 'nonsense', undefined])
      expect((await rate(who ?? '', { ...about, rating: 3 }, who === undefined ? { token: null } : {})).status).toBe(
        401,
      )
    expect(problemOf(await rate('', { rating: 'good' }, { token: null }))).toEqual([401, 'auth.unauthenticated'])
    for (const tenant of ['acme', 'neighbour'] as const)
      expect((await rate(token, { ...about, rating: 3 }, { tenant })).status).toBe(401)
    const unknown = { ...about, sessionId: noSuchId, rating: 3 }
    expect(problemOf(await rate(token, unknown))).toEqual([403, 'auth.insufficient_scope'])
    const headers = { 'idempotency-key': `rating ${nextNumber()}` }
    const once = await rate(token, { ...about, rating: 2 }, { headers })
    const again = await rate(token, { ...about, rating: 2 }, { headers })
    expect([again.body.id, again.headers.get('idempotency-replayed')]).toEqual([once.body.id, 'true'])
    const listed = await sandbox.get(`admin/ratings?filter=sessionId==${device.session.id}&sortOrder=createdAt,id`)
    expect(listed.items.map(({ rating }: Json) => rating)).toEqual([5, null, 2])
    for (const field of listRatings.filterable.filter((name) => name !== 'campaignIds')) {
      const filter = encodeURIComponent(`${field}==${kept[field]},id==${kept.id}`)
      expect([field, (await sandbox.get(`admin/ratings?filter=${filter}&sortOrder=-${field}`)).items]).toEqual([
        ...[field, [kept]],
      ])
    }
    expect((await live.get('admin/ratings')).totalCount).toBe(0)
    expect(problemOf(await sandbox.at('GET', 'admin/ratings', { token }))).toEqual([401, 'auth.unauthenticated'])
  })

  test('a session that is over neither asks nor rates, but its user may still rate', async () => {
    const { product, device, token } = await newRater(['A'])
    const other = await newRater(['A'])
    const ask = (who: Json, session: Json) =>
      sandbox.at('GET', `usage/sessions/${session.session.id}/rating-prompt`, { token: who.token })
    expect(problemOf(await ask(other.device, device))).toEqual([403, 'auth.insufficient_scope'])
    expect((await ask({ token }, device)).status).toBe(401)
    await sandbox.post(`admin/sessions/activations/${device.session.id}/revoke`)
    const rating = { sessionId: device.session.id, productId: product.id, featureCode: 'A', rating: 1 }
    for (const refused of [await ask(device, device), await rate(device.token, rating)])
      expect(problemOf(refused)).toEqual([403, 'license.session_not_valid'])
    expect((await must(rate(token, rating))).rating).toBe(1)
  })
})
