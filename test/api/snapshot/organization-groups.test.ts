import { beforeAll, expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { nextNumber } from '../catalog/catalog-collection.ts'
import { bodyOf, catalogOf, snapshotOf } from './scene.ts'

const path = '/activationPolicy/requireOrganizationGroupMember'
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/

/** A catalog of one offer that asks for members of a group. */
const askingFor = (group: string, more: object = {}) =>
  snapshotOf({
    entitlementOffers: [{ name: 'For a group', activationPolicy: { requireOrganizationGroupMember: group }, ...more }],
  })

forEachStore((store) => {
  const server = serveTests(store)
  const staging = catalogOf(server)
  const production = catalogOf(server, 'neighbour')
  const makeGroup = async (catalog: typeof staging, name: string) =>
    bodyOf(await catalog.admin('POST', 'organization-groups', { name }))
  const offersOf = async (catalog: typeof staging) => bodyOf(await catalog.admin('GET', 'entitlements/offers')).items
  const askedFor = async (catalog: typeof staging) =>
    (await offersOf(catalog)).map((offer: { activationPolicy: object }) => offer.activationPolicy)
  const exported = async (catalog: typeof staging) => bodyOf(await catalog.export('?scope=entitlementOffers'))
  const partners = `Partners ${nextNumber()}`
  let own: { id: string }
  beforeAll(async () => {
    own = await makeGroup(staging, partners)
    const offer = { name: 'For a group', activationPolicy: { requireOrganizationGroupMember: own.id.toUpperCase() } }
    bodyOf(await staging.admin('POST', 'entitlements/offers', offer))
  })

  test('a group is exported by its name, and is the one of that name where the catalog is imported', async () => {
    const snapshot = await exported(staging)
    expect(snapshot.entitlementOffers[0].activationPolicy.requireOrganizationGroupMember).toBe(partners)
    expect(JSON.stringify(snapshot.entitlementOffers)).not.toMatch(uuid)
    const there = await makeGroup(production, partners)
    bodyOf(await production.import(snapshot))
    expect(await askedFor(production)).toMatchObject([{ requireOrganizationGroupMember: there.id }])
    expect((await exported(production)).entitlementOffers).toEqual(snapshot.entitlementOffers)
    expect(bodyOf(await production.compare(snapshot)).summary).toMatchObject({ create: 0, update: 0, unchanged: 1 })
    expect((await production.admin('DELETE', `organization-groups/${there.id}`)).status).toBe(409)
  })

  test.each([
    ['of no name there is', () => 'Nobody'],
    ['by its id', () => own.id],
  ])('a group %s is an unresolved reference, which changes nothing', async (_what, groupOf) => {
    const before = await askedFor(production)
    const snapshot = askingFor(groupOf())
    const compared = bodyOf(await production.compare(snapshot))
    expect(compared.errors).toMatchObject([{ code: 3004, key: 'offer:For a group', path }])
    expect(compared.errors[0].message).toContain(`no organization group "${groupOf()}"`)
    expect(await production.import(snapshot)).toMatchObject({ status: 400, body: { code: 3004 } })
    expect(await askedFor(production)).toEqual(before)
  })

  test('the same revision shows a group that was renamed since, and one that was made since', async () => {
    const { environmentRevision } = bodyOf(await staging.compare(askingFor(partners)))
    const renamed = `Friends ${nextNumber()}`
    bodyOf(await staging.admin('PATCH', `organization-groups/${own.id}`, { name: renamed }))
    const [offer] = (await exported(staging)).entitlementOffers
    expect(offer.activationPolicy.requireOrganizationGroupMember).toBe(renamed)
    const another = await makeGroup(staging, partners)
    const report = bodyOf(await staging.compare(askingFor(partners)))
    expect(report).toMatchObject({
      environmentRevision,
      items: [{ changes: [{ path, before: renamed, after: partners }] }],
    })
    bodyOf(await staging.import(askingFor(partners)))
    expect(await askedFor(staging)).toMatchObject([{ requireOrganizationGroupMember: another.id }])
  })

  test('a group that is deleted while its offer is imported is kept, or missed', async () => {
    for (let round = 0; round < 8; round++) {
      const name = `Passing ${nextNumber()}`
      const group = await makeGroup(staging, name)
      const [deleted, imported] = await Promise.all([
        staging.admin('DELETE', `organization-groups/${group.id}`),
        staging.import(askingFor(name, { description: name })),
      ])
      expect([deleted.status, imported.status]).toEqual(imported.status === 200 ? [409, 200] : [204, 400])
    }
  })
})
