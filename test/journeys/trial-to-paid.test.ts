import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { must, problemOf } from '../api/catalog/catalog-collection.ts'
import { entitlementsInTime } from '../api/entitlements/entitlements-in-time.ts'
import { forEachStore } from '../support/stores.ts'

type Json = ReturnType<typeof JSON.parse>
const day = 86_400_000

const offer = {
  name: 'CAD Pro',
  status: 'Active',
  licensePolicy: { maxDeviceActivations: 1, leaseTime: 'P7D', graceTime: 'P1D' },
  trialPolicy: { enabled: true, duration: 'P14D', startsOn: 'Activation' },
  renewalPolicy: { period: 'Monthly', autoRenew: true },
}

forEachStore((store) => {
  const here = entitlementsInTime(store)

  test('a customer tries, is told, runs out, pays, is renewed for a year, is suspended for a while and leaves', async () => {
    const device = (activationCode: string) =>
      here.server.api('POST', '/api/v1/provision/activations/license', {
        ...{ tenant: 'sandbox', token: null, body: { activationCode, fingerprint: 'workshop' } },
      })
    const says = (deed: string, { token, session }: Json) =>
      here.server.api('POST', `/api/v1/provision/activations/${session.id}/${deed}`, {
        ...{ tenant: 'sandbox', token, body: {} },
      })
    const at = (method: string, where: string, body?: object) => must(here.at(method, where, body))

    const customer = await at('POST', 'admin/customers', { name: 'Ada Ltd' })
    await at('POST', 'admin/entitlements/offers', offer)
    const sold = await at('POST', 'operational/entitlements/from-offer', {
      fromEntitlementOfferName: 'CAD Pro',
      entitlementParameters: { status: 'Active', customerId: customer.id },
      licenseActivationWorkflowParameters: {},
    })
    const { entitlement, activationCode } = sold
    expect(entitlement).toMatchObject({ status: 'Active', isEntitlementTrial: true, subscriptionStatus: 'Trialing' })

    // The trial begins with the first device, not with the sale.
    await here.advance({ by: 'P30D' })
    const tried = await must(device(activationCode))
    expect(tried.session).toMatchObject({ isTrial: true, isValidSession: true })
    const trialEnd = Date.parse(tried.session.trialExpiration)
    expect(trialEnd).toBe(Date.parse(tried.session.activationTime) + 14 * day)
    expect(await here.get(entitlement.id)).toMatchObject({ subscriptionStatus: 'Trialing' })

    await here.advance({ by: 'P7D' })
    const [, notice] = await here.eventsOf(entitlement.id)
    expect(notice).toMatchObject({ type: 'TrialExpiring', at: trialEnd - 7 * day, data: { customerId: customer.id } })
    const renewed = await must(says('renew', tried))
    expect(decodeJwt(renewed.token)).toMatchObject({ trial: true, exp: Math.floor(trialEnd / 1000) })

    await here.advance({ by: 'P7D' })
    expect(await here.get(entitlement.id)).toMatchObject({ status: 'Expired', subscriptionStatus: 'Expired' })
    expect(problemOf(await says('check-in', renewed))).toEqual([401, 'auth.unauthenticated'])
    expect(problemOf(await device(activationCode))).toEqual([403, 'license.expired'])

    const paid = await at('POST', `operational/entitlements/${entitlement.id}/renew`)
    expect(paid).toMatchObject({ status: 'Active', isEntitlementTrial: false, subscriptionStatus: 'Active' })
    const licensed = await must(device(activationCode))
    expect(licensed.session).toMatchObject({ id: tried.session.id, isTrial: false, trialExpiration: null })
    expect(decodeJwt(licensed.token)).toMatchObject({ trial: false })

    await here.advance({ by: 'P1Y' })
    const renewals = (await here.eventsOf(entitlement.id)).filter(({ type }) => type === 'Renewed')
    expect(renewals).toHaveLength(13)
    expect(new Set(renewals.map(({ data }) => data.periodStart)).size).toBe(13)
    const yearLater = await must(device(activationCode))
    expect(yearLater.session.id).toBe(tried.session.id)

    await here.does(entitlement.id, 'suspend')
    expect(problemOf(await says('renew', yearLater))).toEqual([403, 'license.entitlement_not_active'])
    await here.does(entitlement.id, 'resume')
    expect((await says('check-in', yearLater)).status).toBe(200)
    await here.does(entitlement.id, 'cancel')
    expect(problemOf(await says('check-in', yearLater))).toEqual([403, 'license.entitlement_not_active'])
    await here.advance({ by: 'P1Y' })

    const told = await here.typesOf(entitlement.id)
    expect(told).toEqual([
      ...['Activated', 'TrialExpiring', 'Renewed', 'Activated'],
      ...Array.from({ length: 12 }, () => 'Renewed'),
      ...['Activated', 'Cancelled'],
    ])
  })
})
