import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, problemOf } from '../catalog/catalog-collection.ts'
import { adminOf, pointersOf } from '../catalog/things-to-sell.ts'

const defaults = {
  activation: {
    requiredAuthenticationLevel: 'Default',
    requireNewUserVerification: false,
    requireProductCode: false,
    requireActivationWorkflow: false,
    requireOrganizationGroupMember: null,
    allowedIpCidr: [],
    requirePreConfiguredDeviceIdentification: false,
    requiredDeviceIdentificationSignatureLength: null,
  },
  license: {
    licenseModel: 'NodeLocked',
    maxDeviceActivations: null,
    leaseTime: 'P7D',
    graceTime: 'P3D',
    inactivityTimeout: 'PT1H',
    concurrentInstances: false,
    componentMatchingStrategy: 'MatchAll',
    allowedApplicationScopes: [],
    allowRelease: true,
  },
  trial: { enabled: false, duration: 'P14D', startsOn: 'Activation' },
  'anonymous-try': { enabled: false, duration: 'P1D', maxDevices: null },
  renewal: { period: 'Yearly', autoRenew: false, expiringNotice: 'P7D', planChangeApproval: 'Manual' },
  'key-issuance': {
    enabled: true,
    template: '{random:5}-{random:5}-{random:5}-{random:5}',
    alphabet: 'CrockfordBase32',
    customAlphabet: null,
    caseStyle: 'Upper',
    checksum: 'None',
    sequenceScope: 'Entitlement',
    sequenceStart: 1,
  },
}

const written = [
  ['activation', 'activationPolicy', { allowedIpCidr: ['10.0.0.0/8'], requireProductCode: true }],
  [
    'license',
    'licensePolicy',
    { licenseModel: 'Floating', maxDeviceActivations: 3, leaseTime: 'PT5M' },
    { graceTime: 'PT0S' },
  ],
  ['trial', 'trialPolicy', { duration: 'P30D', enabled: true }],
  ['anonymous-try', 'anonymousTryPolicy', { maxDevices: 10, enabled: true }],
  ['renewal', 'renewalPolicy', { period: 'Monthly', autoRenew: true }],
  ['key-issuance', 'keyIssuancePolicy', { template: 'A-{seq:6}', sequenceStart: 7 }],
] as const

forEachStore((store) => {
  const server = serveTests(store)
  const admin = adminOf(server)

  test.each([
    ['an entitlement', 'entitlements', {}],
    ['an offer', 'entitlements', { isOffer: true }],
    ['an offer at its own path', 'entitlements/offers', { isOffer: true }],
  ])('each policy of %s is read by itself, and replaced whole', async (_what, path, kind) => {
    const { id } = await admin.post('entitlements', { name: `Licence ${nextNumber()}`, ...kind })
    const where = (policy: string) => `${path}/${id}/policies/${policy}`
    for (const [policy, field, fields, otherDefaults] of written) {
      expect(await must(admin.at('GET', where(policy)))).toEqual(defaults[policy])
      const whole = { ...defaults[policy], ...otherDefaults, ...fields }
      expect(await must(admin.at('PUT', where(policy), fields))).toEqual(whole)
      expect(await must(admin.at('GET', where(policy)))).toEqual(whole)
      expect((await must(admin.at('GET', `entitlements/${id}`)))[field]).toEqual(whole)
    }
    const nulls = { maxDeviceActivations: null, leaseTime: '1.00:00:00' }
    expect(await must(admin.at('PUT', where('license'), nulls))).toEqual({ ...defaults.license, leaseTime: 'P1D' })
    expect((await must(admin.at('GET', `entitlements/${id}`))).revisionNumber).toBe(8)
    expect(problemOf(await admin.at('PUT', where('license')))).toEqual([400, 'request.malformed'])
    expect(await must(admin.at('GET', where('license')))).toEqual({ ...defaults.license, leaseTime: 'P1D' })
    const stale = await admin.at('PUT', where('trial'), {}, { 'if-match': '"1"' })
    expect(problemOf(stale)).toEqual([412, 'request.precondition_failed'])
  })

  test('a policy that cannot be followed is refused where it is wrong', async () => {
    const { id } = await admin.post('entitlements', { name: `Licence ${nextNumber()}` })
    for (const [policy, body, pointer] of [
      ['activation', { allowedIpCidr: ['10.0.0.0/8', 'x'] }, '/allowedIpCidr/1'],
      ['key-issuance', { template: 'FIXED' }, '/template'],
      ['license', { leaseTime: 'long' }, '/leaseTime'],
      ['license', { seats: 1 }, '/seats'],
    ] as const)
      expect(pointersOf(await admin.at('PUT', `entitlements/${id}/policies/${policy}`, body))).toEqual([
        400,
        'license.validation_error',
        [pointer],
      ])
    expect(problemOf(await admin.at('GET', `entitlements/${id}/policies/none`))[0]).toBe(404)
    expect((await must(admin.at('GET', `entitlements/${id}`))).revisionNumber).toBe(1)
  })

  test('a Draft that is given a trial policy is a trial, unless it says that it is none', async () => {
    const { id } = await admin.post('entitlements', { name: `Licence ${nextNumber()}` })
    await must(admin.at('PUT', `entitlements/${id}/policies/trial`, { enabled: true }))
    expect(await must(admin.at('GET', `entitlements/${id}`))).toMatchObject({ isEntitlementTrial: true })
    await must(admin.at('PUT', `entitlements/${id}/policies/trial`, { enabled: false }))
    expect(await must(admin.at('GET', `entitlements/${id}`))).toMatchObject({ isEntitlementTrial: false })
    const paid = await admin.post('entitlements', { name: 'Paid', trialPolicy: {}, isEntitlementTrial: false })
    expect(paid).toMatchObject({ isEntitlementTrial: false, trialPolicy: { enabled: true } })
    const sold = await must(admin.at('PATCH', `entitlements/${paid.id}`, { status: 'Active' }))
    const later = await must(admin.at('PATCH', `entitlements/${sold.id}`, { trialPolicy: { duration: 'P1D' } }))
    expect(later).toMatchObject({ isEntitlementTrial: false, subscriptionStatus: 'Active' })
  })
})
