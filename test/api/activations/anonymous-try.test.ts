import { expect, test } from 'vitest'
import { everyScope } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'
import { devicesOf } from './devices.ts'

forEachStore((store) => {
  const server = serveTests(store)
  const options = { tenant: 'sandbox' as const, token: undefined as string | undefined }
  const devices = devicesOf(server, options)
  const tryIt = (body: object) => devices.at('POST', 'activations/try', { token: null, body })

  const newOffer = async (anonymousTryPolicy: object | null, body: object = {}) => {
    options.token = await server.tokenWith(everyScope, 'sandbox')
    const n = nextNumber()
    const product = await devices.post('admin/products', { productCode: `TRY-${n}`, name: `Try ${n}` })
    const products = [{ productId: product.id, features: [] }]
    const offer = await devices.post('admin/entitlements/offers', {
      ...{ name: `Offer ${n}`, allowAnonymousTry: true, status: 'Active', anonymousTryPolicy, products },
      ...body,
    })
    return { offerId: offer.id as string, productCode: product.productCode as string }
  }

  test('a visitor tries an offer for as long as its policy says, and once', async () => {
    const { offerId, productCode } = await newOffer({ duration: 'P2D' })
    const first = await must(tryIt({ productCode, fingerprint: 'one' }))
    expect(first.session).toMatchObject({ isTrial: true, isValidSession: true, activationCode: null, holdsSeat: true })
    const { trialExpiration, activationTime, entitlementId } = first.session
    expect(Date.parse(trialExpiration) - Date.parse(activationTime)).toBe(2 * 86_400_000)
    const entitlement = await devices.get(`admin/entitlements/${entitlementId}`)
    expect(entitlement).toMatchObject({
      isAnonymousTry: true,
      sourceOfferId: offerId,
      status: 'Active',
      isOffer: false,
    })
    const again = await must(tryIt({ offerId, fingerprint: 'one' }))
    expect([again.session.id, again.session.trialExpiration]).toEqual([first.session.id, trialExpiration])
    expect((await devices.say('renew', first)).status).toBe(200)
    await must(devices.say('release', again))
    const resumed = await must(tryIt({ offerId, fingerprint: 'one' }))
    expect([resumed.session.entitlementId, resumed.session.trialExpiration]).toEqual([entitlementId, trialExpiration])
    const other = await must(tryIt({ offerId, fingerprint: 'two' }))
    expect(other.session.entitlementId).not.toBe(entitlementId)
    options.token = await server.tokenWith(everyScope, 'sandbox')
    await must(devices.at('POST', 'admin/test-clock/advance', { body: { by: 'P2D' } }))
    const over = await tryIt({ offerId, fingerprint: 'one' })
    expect([over.status, over.body.codeName]).toEqual([403, 'license.expired'])
  })

  test('a device whose fingerprint has changed has its try again, and no other, where components are matched', async () => {
    const { offerId } = await newOffer(
      { duration: 'P2D' },
      { licensePolicy: { componentMatchingStrategy: 'MatchAny' } },
    )
    const components = { MachineName: 'm' }
    const first = await must(tryIt({ offerId, fingerprint: 'one', components }))
    const { id, entitlementId, trialExpiration } = first.session
    for (const device of [{ fingerprint: 'two', components }, { fingerprint: 'one' }, { fingerprint: 'two' }]) {
      const { session, entitlement } = await must(tryIt({ offerId, ...device }))
      expect(session).toMatchObject({ id, entitlementId, trialExpiration, isValidSession: true })
      expect(entitlement).toEqual(first.entitlement)
    }
    await must(devices.say('release', first))
    const again = await must(tryIt({ offerId, fingerprint: 'one' }))
    expect(again.session).toMatchObject({ entitlementId, trialExpiration })
    const other = await must(tryIt({ offerId, fingerprint: 'three' }))
    expect(other.session.entitlementId).not.toBe(entitlementId)
    await must(devices.say('release', again))
    const changed = await must(tryIt({ offerId, fingerprint: 'four', components }))
    expect(changed.session).toMatchObject({ entitlementId, trialExpiration })
    await must(devices.say('release', changed))
    await must(devices.at('POST', 'admin/test-clock/advance', { body: { by: 'P2D' } }))
    for (const fingerprint of ['one', 'four', 'five']) {
      const over = await tryIt({ offerId, fingerprint, components })
      expect([over.status, over.body.codeName]).toEqual([403, 'license.expired'])
    }
  })

  test('no try outlasts its offer, and what has ended is tried only where nothing else is', async () => {
    options.token = await server.tokenWith(everyScope, 'sandbox')
    const { now } = await devices.get('admin/test-clock')
    const expirationDateTime = new Date(Date.parse(now) + 3_600_000).toISOString()
    const ending = await newOffer({}, { expirationDateTime })
    const tried = await must(tryIt({ offerId: ending.offerId, fingerprint: 'one' }))
    expect(tried.session).toMatchObject({ notValidAfterTimestamp: expirationDateTime, isTrial: true })
    await must(devices.at('POST', 'admin/test-clock/advance', { body: { by: 'PT1H' } }))
    for (const body of [{ offerId: ending.offerId }, { productCode: ending.productCode }]) {
      const over = await tryIt({ ...body, fingerprint: 'two' })
      expect([over.status, over.body.codeName]).toEqual([403, 'license.expired'])
    }
    options.token = await server.tokenWith(everyScope, 'sandbox')
    const made = await must(devices.at('GET', `admin/entitlements?filter=sourceOfferId==${ending.offerId}`))
    expect(made.totalCount).toBe(1)
    const [product] = (await devices.get(`admin/entitlements/${ending.offerId}`)).products
    const other = await newOffer({}, { products: [{ productId: product.id }], status: 'Draft' })
    const second = await must(tryIt({ productCode: ending.productCode, fingerprint: 'two' }))
    expect(await devices.get(`admin/entitlements/${second.session.entitlementId}`)).toMatchObject({
      sourceOfferId: other.offerId,
    })
  })

  test('a try says which entitlement it became: the first of the same offer that its device is activated on', async () => {
    const { offerId } = await newOffer({ duration: 'P1D' })
    const [buyer, visitor] = [
      await must(tryIt({ offerId, fingerprint: 'buyer' })),
      await must(tryIt({ offerId, fingerprint: 'visitor' })),
    ]
    const becameOf = async ({ session }: { session: { entitlementId: string } }) =>
      (await devices.get(`admin/entitlements/${session.entitlementId}`)).convertedToEntitlementId
    options.token = await server.tokenWith(everyScope, 'sandbox')
    await must(devices.at('POST', 'admin/test-clock/advance', { body: { by: 'P2D' } }))
    options.token = await server.tokenWith(everyScope, 'sandbox')
    const sell = () =>
      devices.post('admin/entitlements/offers/from-offer', {
        entitlementOfferId: offerId,
        entitlementParameters: { status: 'Active' },
        licenseActivationWorkflowParameters: {},
      })
    const [sold, soldLater] = [await sell(), await sell()]
    expect(await becameOf(buyer)).toBeNull()
    for (const { activationCode } of [sold, soldLater]) await must(devices.activate(activationCode, 'buyer'))
    expect(await becameOf(buyer)).toBe(sold.entitlement.id)
    expect(await becameOf(visitor)).toBeNull()
    expect(await devices.get(`admin/entitlements/${sold.entitlement.id}`)).toMatchObject({
      convertedToEntitlementId: null,
    })
  })

  test('a try that lasts longer than any date ends with the last', async () => {
    const { offerId } = await newOffer({ duration: 'P999999Y' })
    const { session } = await must(tryIt({ offerId, fingerprint: 'one' }))
    expect(session).toMatchObject({ isTrial: true, trialExpiration: '9999-12-31T23:59:59.999Z' })
  })

  test('no more devices try at the same time than may', async () => {
    const { offerId } = await newOffer({ maxDevices: 2 })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => tryIt({ offerId, fingerprint: `device ${at}` })),
    )
    const tried = answers.filter(({ status }) => status === 200)
    expect(tried).toHaveLength(2)
    expect(answers.filter(({ body }) => body.codeName === 'license.seats_exhausted')).toHaveLength(6)
    await must(devices.say('release', tried[0]!.body))
    expect((await tryIt({ offerId, fingerprint: 'another' })).status).toBe(200)
    expect((await tryIt({ offerId, fingerprint: tried[0]!.body.session.fingerprint })).status).toBe(409)
    // A try that the vendor deletes is none any more.
    await must(devices.at('DELETE', `admin/entitlements/${tried[1]!.body.session.entitlementId}`))
    expect((await tryIt({ offerId, fingerprint: 'one more' })).status).toBe(200)
    expect((await tryIt({ offerId, fingerprint: 'too many' })).status).toBe(409)
  })

  test('a device whose seat and token are over makes room for another, and has its try again when there is room', async () => {
    for (const licensePolicy of [
      { licenseModel: 'Floating', leaseTime: 'PT10M', graceTime: 'PT0S' },
      { licenseModel: 'InactivityBased', inactivityTimeout: 'PT5M', leaseTime: 'PT10M', graceTime: 'PT0S' },
    ]) {
      const { offerId } = await newOffer({ duration: 'P14D', maxDevices: 1 }, { licensePolicy })
      const statusOf = async (fingerprint: string) => (await tryIt({ offerId, fingerprint })).status
      const advance = async (by: string) => {
        options.token = await server.tokenWith(everyScope, 'sandbox')
        await must(devices.at('POST', 'admin/test-clock/advance', { body: { by } }))
      }
      const first = await must(tryIt({ offerId, fingerprint: 'one' }))
      await advance('PT6M')
      // Of the second policy the seat has lapsed, and the next check-in takes it again.
      expect(await statusOf('two')).toBe(409)
      expect((await devices.say('check-in', first)).status).toBe(200)
      await advance('PT5M')
      expect(await statusOf('one')).toBe(200)
      expect(await statusOf('two')).toBe(409)
      await advance('PT11M')
      expect(await statusOf('two')).toBe(200)
      expect(await statusOf('one')).toBe(409)
      await advance('PT11M')
      expect(await statusOf('one')).toBe(200)
    }
  })

  test('one device that tries many times at once has one session', async () => {
    const { offerId } = await newOffer({})
    const answers = await Promise.all(Array.from({ length: 10 }, () => tryIt({ offerId, fingerprint: 'one' })))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.session?.id}`)).size).toBe(1)
  })

  test('what may not be tried is not found', async () => {
    const offers = [
      await newOffer(null),
      await newOffer({ enabled: false }),
      await newOffer({}, { allowAnonymousTry: false }),
      { offerId: '01890000-0000-7000-8000-000000000000', productCode: 'NONE' },
    ]
    for (const { offerId, productCode } of offers)
      for (const body of [{ offerId }, { productCode }]) {
        const answer = await tryIt({ ...body, fingerprint: 'one' })
        expect([answer.status, answer.body.codeName]).toEqual([404, 'license.record_not_found'])
      }
    expect((await tryIt({ fingerprint: 'one' })).body.codeName).toBe('license.validation_error')
  })

  test('a try asks for no account and no code, whatever its offer asks of who buys; the rest it asks alike', async () => {
    options.token = await server.tokenWith(everyScope, 'sandbox')
    const { id: requireOrganizationGroupMember } = await devices.post('admin/organization-groups', { name: 'Group' })
    const kept = { requireProductCode: true, requiredDeviceIdentificationSignatureLength: 3 }
    const activationPolicy = {
      ...kept,
      requiredAuthenticationLevel: 'SignedIn',
      requireNewUserVerification: true,
      requireOrganizationGroupMember,
      requireActivationWorkflow: true,
      requirePreConfiguredDeviceIdentification: true,
    }
    const guarded = await newOffer({}, { activationPolicy })
    const { session } = await must(tryIt({ ...guarded, fingerprint: 'one' }))
    expect(session).toMatchObject({ isTrial: true, isValidSession: true })
    const nothing = { requiredAuthenticationLevel: 'Default', requireOrganizationGroupMember: null }
    const flags = { requireNewUserVerification: false, requireActivationWorkflow: false }
    expect((await devices.get(`admin/entitlements/${session.entitlementId}`)).activationPolicy).toEqual({
      ...{ ...kept, allowedIpCidr: [], ...nothing, ...flags },
      requirePreConfiguredDeviceIdentification: false,
    })
    expect((await devices.get(`admin/entitlements/${guarded.offerId}`)).activationPolicy).toMatchObject({
      requiredAuthenticationLevel: 'SignedIn',
    })
    const outcomeOf = async (body: object) => (await tryIt(body)).body.codeName
    const { offerId } = guarded
    expect(await outcomeOf({ offerId, fingerprint: 'two' })).toBe('license.product_code_required')
    expect(await outcomeOf({ ...guarded, fingerprint: 'x' })).toBe('license.device_not_allowed')
  })
})
