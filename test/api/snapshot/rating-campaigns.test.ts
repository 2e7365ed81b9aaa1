import { beforeAll, expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { bodyOf, catalogOf, snapshotOf, wholeCatalog } from './scene.ts'

const product = { productCode: 'ACME-CAD', productVersion: '2.0' }
const key = 'rating-campaign:Exporting'

forEachStore((store) => {
  const server = serveTests(store)
  const catalog = catalogOf(server)
  const neighbour = catalogOf(server, 'neighbour')
  const campaigns = async () => bodyOf(await catalog.admin('GET', 'rating-campaigns')).items
  const carried = async () => bodyOf(await catalog.export('?scope=ratingCampaigns'))

  beforeAll(async () => {
    bodyOf(await catalog.import(wholeCatalog()))
  })

  test('an imported campaign asks about the entries of the feature catalog that it names, in its order', async () => {
    const [campaign] = await campaigns()
    expect(campaign).toMatchObject({ name: 'Exporting', isEnabled: true, startsAt: '2026-09-01T00:00:00.000Z' })
    expect(campaign.targets).toMatchObject([
      { featureCode: 'SIZE', question: null, priority: 2 },
      { featureCode: 'EXPORT_STEP', question: 'How do you like it?', priority: 1 },
    ])
  })

  test('is exported by the names of its features, which are references, and imported elsewhere as it is here', async () => {
    const snapshot = await carried()
    expect(snapshot).toMatchObject({ scope: ['ratingCampaigns'], counts: { ratingCampaigns: 1 }, warnings: [] })
    expect(snapshot.ratingCampaigns).toEqual([
      {
        name: 'Exporting',
        description: null,
        isEnabled: true,
        startsAt: '2026-09-01T00:00:00.000Z',
        endsAt: null,
        targets: [
          { ...product, featureCode: 'SIZE', question: null, priority: 2 },
          { ...product, featureCode: 'EXPORT_STEP', question: 'How do you like it?', priority: 1 },
        ],
      },
    ])
    expect(snapshot.references['feature:ACME-CAD@2.0/SIZE']).toMatchObject({
      presence: 'External',
      referencedBy: [key],
    })
    bodyOf(await neighbour.import(bodyOf(await catalog.export())))
    expect(bodyOf(await neighbour.compare(snapshot)).summary).toMatchObject({ create: 0, update: 0, unchanged: 1 })
  })

  test('an edit in the environment is seen by the next compare, apply and drift', async () => {
    const before = await carried()
    const [{ id }] = await campaigns()
    bodyOf(await catalog.admin('PATCH', `rating-campaigns/${id}`, { isEnabled: false }))
    const report = bodyOf(await catalog.compare(before))
    expect(report.items).toMatchObject([
      { kind: 'ratingCampaign', key, action: 'update', changes: [{ path: '/isEnabled', before: false, after: true }] },
    ])
    expect(bodyOf(await catalog.drift()).items).toMatchObject([{ key, action: 'update' }])
    const [{ fingerprint }] = report.items
    expect((await catalog.apply({ snapshot: before, expected: { [key]: null } })).status).toBe(409)
    bodyOf(await catalog.apply({ snapshot: before, expected: { [key]: fingerprint } }))
    expect((await campaigns())[0]).toMatchObject({ id, isEnabled: true })
  })

  const wrong = (campaign: object) => snapshotOf({ ratingCampaigns: [{ name: 'Wrong', ...campaign }] })
  const target = (featureCode: string) => ({ ...product, featureCode })
  test.each([
    ['an unknown feature', { targets: [target('NOPE')] }, 3004, '/targets/0/featureCode'],
    ['a feature attached to its product alone', { targets: [target('CORE')] }, 3004, '/targets/0/featureCode'],
    ['a feature twice', { targets: [target('SIZE'), target('SIZE')] }, 2000, '/targets/1/featureCode'],
    ['an end at its beginning', { startsAt: '2026-09-01T00:00:00Z', endsAt: '2026-09-01T00:00:00Z' }, 2000, '/endsAt'],
  ])('a campaign with %s is an error of the report, and is not imported', async (_what, campaign, code, path) => {
    expect(bodyOf(await catalog.compare(wrong(campaign))).errors).toMatchObject([
      { key: 'rating-campaign:Wrong', path, code },
    ])
    expect(await catalog.import(wrong(campaign))).toMatchObject({ status: 400, body: { code } })
    expect(await campaigns()).toHaveLength(1)
  })

  test('of campaigns with one name the oldest is carried, with a warning; what is imported under the name is its', async () => {
    const twin = bodyOf(await catalog.admin('POST', 'rating-campaigns', { name: 'Exporting', isEnabled: false }))
    const snapshot = await carried()
    expect(snapshot.warnings).toEqual([{ code: 'key_repeated', key, message: expect.stringContaining('oldest') }])
    expect(snapshot.ratingCampaigns).toMatchObject([{ name: 'Exporting', isEnabled: true }])
    bodyOf(await catalog.import(snapshotOf({ ratingCampaigns: [{ name: 'Exporting', description: 'Both' }] })))
    expect(await campaigns()).toMatchObject([{ description: 'Both' }, { id: twin.id, description: null }])
    expect((await catalog.admin('DELETE', `rating-campaigns/${twin.id}`)).status).toBe(204)
    expect(await carried()).toMatchObject({ warnings: [] })
  })

  test('a target whose feature is deleted is no part of it any more', async () => {
    const features = bodyOf(await catalog.admin('GET', 'feature-catalog')).items
    const size = features.find(({ featureCode }: { featureCode: string }) => featureCode === 'SIZE')
    expect((await catalog.admin('DELETE', `feature-catalog/${size.id}`)).status).toBe(204)
    const { ratingCampaigns } = await carried()
    expect(ratingCampaigns[0].targets).toMatchObject([{ featureCode: 'EXPORT_STEP' }])
  })
})
