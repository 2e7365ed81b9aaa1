import { expect, test } from 'vitest'
import { campaignContracts } from '../../../server/entitlements/campaigns/contract.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId, problemOf, testCollection } from '../catalog/catalog-collection.ts'

const path = '/api/v1/provision/admin/campaigns'
const entitlements = '/api/v1/provision/admin/entitlements'

forEachStore((store) => {
  const server = serveTests(store)
  const newCampaign = () => must(server.api('POST', path, { body: { name: `Spring ${nextNumber()}` } }))
  const newEntitlement = (body: object) => server.api('POST', entitlements, { body: { name: 'CAD', ...body } })

  testCollection(() => server, {
    path,
    body: async (_server, n) => ({
      name: `Launch ${n}`,
      description: 'A new release',
      source: 'newsletter',
      startsAt: '2027-03-01T00:00:00Z',
      endsAt: '2027-04-01T00:00:00Z',
    }),
    rename: (n) => ({ name: `Relaunch ${n}` }),
    alter: { source: 'fair' },
    fields: ['name', 'description', 'source', 'startsAt', 'endsAt'],
    filterable: campaignContracts.list.filterable,
    isOutsideCatalog: true,
  })

  test('a name that is taken is refused in so many words', async () => {
    const [{ name }, other] = [await newCampaign(), await newCampaign()]
    for (const refused of [
      await server.api('POST', path, { body: { name } }),
      await server.api('PATCH', `${path}/${other.id}`, { body: { name } }),
    ])
      expect([refused.status, refused.body.detail]).toEqual([409, 'There is a campaign of this name already.'])
    await must(server.api('POST', path, { tenant: 'neighbour', body: { name } }))
  })

  test('a campaign ends after it begins, and either end can be cleared', async () => {
    const { id } = await newCampaign()
    const patch = (body: object) => server.api('PATCH', `${path}/${id}`, { body })
    await must(patch({ startsAt: '2027-03-01T01:00:00+01:00', endsAt: '2027-03-02T00:00:00Z' }))
    for (const endsAt of ['2027-03-01T00:00:00Z', '2027-02-01T00:00:00Z'])
      expect(await patch({ endsAt })).toMatchObject({ status: 400, body: { errors: [{ pointer: '/endsAt' }] } })
    expect(await must(patch({ clearStartsAt: true, endsAt: '2027-02-01T00:00:00Z' }))).toMatchObject({
      startsAt: null,
      endsAt: '2027-02-01T00:00:00.000Z',
    })
    expect((await must(patch({ clearEndsAt: true }))).endsAt).toBeNull()
  })

  test('an entitlement made because of a campaign touches it once', async () => {
    const campaign = await newCampaign()
    const touches = (query = '') => server.api('GET', `${path}/${campaign.id}/touches${query}`)
    expect((await must(touches())).items).toEqual([])
    const made = []
    for (let n = 0; n < 3; n++) made.push((await must(newEntitlement({ campaignId: campaign.id }))).id)
    await must(server.api('PATCH', `${entitlements}/${made[0]}`, { body: { campaignId: campaign.id } }))
    const page = await must(touches('?pageSize=2'))
    expect(page).toMatchObject({ totalCount: 3, totalPages: 2, hasNextPage: true })
    expect(page.items[0]).toEqual({
      id: expect.any(String),
      campaignId: campaign.id,
      entitlementId: made[0],
      kind: 'Issuance',
      touchedAt: expect.any(String),
    })
    const filtered = await must(touches(`?filter=entitlementId==${made[2]},kind==Issuance&sortOrder=-touchedAt`))
    expect(filtered.items).toMatchObject([{ entitlementId: made[2] }])
    const [touch] = page.items
    for (const [field, value] of Object.entries(touch)) {
      const query = `?filter=${encodeURIComponent(`${field}==${value},id==${touch.id}`)}&sortOrder=-${field}`
      expect([field, (await must(touches(query))).items]).toEqual([field, [touch]])
    }
    expect(problemOf(await touches('?filter=tenantId==x'))).toEqual([400, 'license.validation_error'])
    for (const [tenant, id] of [
      ['neighbour', campaign.id],
      ['acme', noSuchId],
    ] as const)
      expect(problemOf(await server.api('GET', `${path}/${id}/touches`, { tenant }))).toEqual([
        404,
        'license.record_not_found',
      ])
  })

  test('a campaign that is not there makes no entitlement', async () => {
    const theirs = await must(server.api('POST', path, { tenant: 'neighbour', body: { name: 'Theirs' } }))
    const before = (await must(server.api('GET', entitlements))).totalCount
    for (const campaignId of [noSuchId, theirs.id])
      expect(await newEntitlement({ campaignId })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/campaignId' }] },
      })
    expect((await must(server.api('GET', entitlements))).totalCount).toBe(before)
  })
})
