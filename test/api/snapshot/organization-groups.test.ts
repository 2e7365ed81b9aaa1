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

  test("letter case of a group's id is none, and no change of the catalog", async () => {
    const revision = async () => bodyOf(await staging.compare(askingFor(partners))).environmentRevision
    const [{ id }] = await offersOf(staging)
    const before = await revision()
    for (const said of [own.id, own.id.toUpperCase()]) {
      const activationPolicy = { requireOrganizationGroupMember: said }
      const { activationPolicy: told } = bodyOf(
        await staging.admin('PATCH', `entitlements/offers/${id}`, { activationPolicy }),
      )
      expect([told.requireOrganizationGroupMember, await revision()]).toEqual([own.id, before])
    }
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

  test('a group that was made since is there at the same revision, and one that an offer asks for keeps its name', async () => {
    const name = `Friends ${nextNumber()}`
    const { environmentRevision } = bodyOf(await staging.compare(askingFor(partners)))
    const rename = (id: string, to: string) => staging.admin('PATCH', `organization-groups/${id}`, { name: to })
    const refused = await rename(own.id, name)
    expect(refused).toMatchObject({ status: 409, body: { codeName: 'catalog.in_use' } })
    expect(refused.body.detail).toContain('is used by offer:For a group')
    const again = { name: partners, description: 'The same name' }
    bodyOf(await staging.admin('PUT', `organization-groups/${own.id}`, again))
    const another = await makeGroup(staging, name)
    const report = bodyOf(await staging.compare(askingFor(name)))
    expect(report).toMatchObject({
      environmentRevision,
      items: [{ changes: [{ path, before: partners, after: name }] }],
    })
    bodyOf(await staging.import(askingFor(name)))
    expect(await askedFor(staging)).toMatchObject([{ requireOrganizationGroupMember: another.id }])
    expect(bodyOf(await staging.compare(askingFor(partners))).errors).toEqual([])
    bodyOf(await rename(own.id, `Former ${partners}`))
    expect(bodyOf(await staging.compare(askingFor(partners))).errors).toMatchObject([{ code: 3004 }])
    expect((await staging.import(askingFor(partners))).body.code).toBe(3004)
  })

  test('a Draft that asks for a group that was deleted since becomes no offer', async () => {
    const group = await makeGroup(staging, `Short ${nextNumber()}`)
    const asking = { name: 'A draft', activationPolicy: { requireOrganizationGroupMember: group.id } }
    const { id } = bodyOf(await staging.admin('POST', 'entitlements', asking))
    expect((await staging.admin('DELETE', `organization-groups/${group.id}`)).status).toBe(204)
    const turn = (more: object) => staging.admin('PATCH', `entitlements/${id}`, { isOffer: true, ...more })
    expect((await turn({})).body.errors).toMatchObject([{ pointer: path }])
    bodyOf(await turn({ clearActivationPolicy: true }))
    await staging.admin('DELETE', `entitlements/offers/${id}`)
  })

  test.each([
    ['deleted', 'DELETE', undefined, 204],
    ['called otherwise', 'PATCH', 'otherwise', 200],
  ])('a group that is %s while its offer is imported stays, or is missed', async (_how, method, to, done) => {
    for (let round = 0; round < 8; round++) {
      const name = `Passing ${nextNumber()}`
      const group = await makeGroup(staging, name)
      const [given, imported] = await Promise.all([
        staging.admin(method, `organization-groups/${group.id}`, to && { name: `${name} ${to}` }),
        staging.import(askingFor(name, { description: name })),
      ])
      expect([given.status, imported.status]).toEqual(imported.status === 200 ? [409, 200] : [done, 400])
      if (imported.status === 200) expect((await exported(staging)).entitlementOffers[0].description).toBe(name)
    }
  })
})
