import { describe, expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId } from '../catalog/catalog-collection.ts'
import { adminOf, pointersOf } from '../catalog/things-to-sell.ts'
import { catalogOf, snapshotOf } from '../snapshot/scene.ts'

const offers = 'entitlements/offers'
const named = () => ({ name: `Policies ${nextNumber()}` })

forEachStore((store) => {
  const server = serveTests(store)
  const admin = adminOf(server)

  /** Every request that writes one policy, and the pointer at which each must refuse `field` of it. */
  async function writings(policy: string, path: string, value: object, field: string) {
    const offer = await admin.post(offers, { ...named(), status: 'Active' })
    const entitlement = await admin.post('entitlements', named())
    const body = () => ({ ...named(), [policy]: value })
    const whole = `/${policy}/${field}`
    return [
      ['POST', offers, body(), whole],
      ['PATCH', `${offers}/${offer.id}`, { [policy]: value }, whole],
      ['PUT', `${offers}/${offer.id}`, body(), whole],
      ['POST', 'entitlements', { ...body(), isOffer: true }, whole],
      ['POST', 'entitlements', body(), whole],
      ['PATCH', `entitlements/${entitlement.id}`, { [policy]: value }, whole],
      ['PUT', `entitlements/${entitlement.id}`, body(), whole],
      ['PUT', `entitlements/${entitlement.id}/policies/${path}`, value, `/${field}`],
      ['PUT', `entitlements/${offer.id}/policies/${path}`, value, `/${field}`],
      [
        'POST',
        `${offers}/from-offer`,
        { entitlementOfferId: offer.id, entitlementParameters: { [policy]: value } },
        `/entitlementParameters${whole}`,
      ],
    ] as const
  }

  describe('what lasts no time is refused wherever it is written', () => {
    test.each([
      ['licensePolicy', 'license', 'leaseTime', 'PT0S'],
      ['licensePolicy', 'license', 'leaseTime', 'PT0.9S'],
      ['licensePolicy', 'license', 'inactivityTimeout', 'P0D'],
      ['trialPolicy', 'trial', 'duration', '00:00:00'],
      ['anonymousTryPolicy', 'anonymous-try', 'duration', 'P0M'],
    ])('%s %s %s %s', async (policy, path, field, duration) => {
      const value = { [field]: duration }
      for (const [method, where, body, pointer] of await writings(policy, path, value, field))
        expect([method, where, ...pointersOf(await admin.at(method, where, body))]).toEqual([
          ...[method, where, 400, 'license.validation_error', [pointer]],
        ])
      const snapshot = snapshotOf({ entitlementOffers: [{ ...named(), [policy]: value }] })
      for (const answer of [await catalogOf(server).compare(snapshot), await catalogOf(server).import(snapshot)])
        expect(pointersOf(answer)).toEqual([
          400,
          'license.validation_error',
          [`/entitlementOffers/0/${policy}/${field}`],
        ])
    })

    test('a grace and a notice may last none, and a lease a second', async () => {
      const licensePolicy = { leaseTime: 'PT1S', graceTime: 'PT0S' }
      const offer = await admin.post(offers, { ...named(), licensePolicy, renewalPolicy: { expiringNotice: 'PT0S' } })
      expect(offer).toMatchObject({ licensePolicy, renewalPolicy: { expiringNotice: 'PT0S' } })
      const read = await must(admin.at('GET', `entitlements/${offer.id}/policies/license`))
      expect(read).toMatchObject(licensePolicy)
    })
  })
  describe('an organization group that the tenant has not', () => {
    const groups = '/api/v1/provision/admin/organization-groups'
    const strangers = [
      ['nobody has', async () => noSuchId],
      [
        'the tenant next door has',
        async () => (await must(server.api('POST', groups, { tenant: 'neighbour', body: named() }))).id,
      ],
      [
        'was deleted',
        async () => {
          const group = await admin.post('organization-groups', named())
          await must(admin.at('DELETE', `organization-groups/${group.id}`))
          return group.id
        },
      ],
    ] as const

    test.each(strangers)('is refused wherever a policy asks for one that %s', async (_whose, idOf) => {
      const field = 'requireOrganizationGroupMember'
      const value = { [field]: await idOf() }
      for (const [method, where, body, pointer] of await writings('activationPolicy', 'activation', value, field))
        expect([method, where, ...pointersOf(await admin.at(method, where, body))]).toEqual([
          ...[method, where, 400, 'license.validation_error', [pointer]],
        ])
    })

    test('comes by its name with a catalog import, and stays when other fields are edited', async () => {
      const { name } = named()
      const group = await admin.post('organization-groups', named())
      const activationPolicy = { requireOrganizationGroupMember: group.name }
      const imported = await catalogOf(server).import(snapshotOf({ entitlementOffers: [{ name, activationPolicy }] }))
      expect(imported.status).toBe(200)
      const { items } = await must(admin.at('GET', `${offers}?filter=name==${encodeURIComponent(name)}`))
      const edited = { description: 'Edited', activationPolicy: { requireProductCode: true } }
      expect(await must(admin.at('PATCH', `${offers}/${items[0].id}`, edited))).toMatchObject({
        description: 'Edited',
        activationPolicy: { requireProductCode: true, requireOrganizationGroupMember: group.id },
      })
    })
  })

  test("the tenant's own organization group may be asked for wherever a policy is written, in capitals too", async () => {
    const group = await admin.post('organization-groups', named())
    const value = { requireOrganizationGroupMember: group.id.toUpperCase() }
    for (const [method, where, body] of await writings('activationPolicy', 'activation', value, ''))
      expect([method, where, (await admin.at(method, where, body)).status]).toEqual([method, where, 200])
  })
})
