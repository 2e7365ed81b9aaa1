import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requestToken } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { bodyOf, catalogOf, clearCatalog, forgetImports, type ReportedItem, snapshotOf, wholeCatalog } from './scene.ts'

type Authored = { key: string; changedAt: string | null; changedBy: string | null }

forEachStore((store) => {
  const server = serveTests(store)
  const catalog = catalogOf(server)
  let first: string
  let second: string
  let secondToken: string
  beforeAll(async () => {
    first = `client:${server.clients.acme.clientId}`
    const client = bodyOf(await catalog.admin('POST', 'clients', { name: 'second', scopes: ['admin.*:*'] }))
    second = `client:${client.clientId}`
    secondToken = await requestToken(server.baseUrl(), client, ['admin.*:*'])
  })
  beforeEach(() => clearCatalog(server.databaseUrl, server.tenantIds.acme))

  /** One of the two clients, changing records by what a filter finds. */
  const editor = (token?: () => string) => {
    const ask = async (method: string, path: string, body?: object) => {
      const answer = await catalog.admin(method, path, body, token ? { token: token() } : {})
      if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
      return answer.body
    }
    const idOf = async (path: string, filter: string) =>
      (await ask('GET', `${path}?filter=${encodeURIComponent(filter)}`)).items[0].id as string
    return {
      ask,
      idOf,
      edit: async (path: string, filter: string, body: object) =>
        ask('PATCH', `${path}/${await idOf(path, filter)}`, body),
      remove: async (path: string, filter: string) => ask('DELETE', `${path}/${await idOf(path, filter)}`),
      merge: async (tag: string, into: string) =>
        ask('POST', `tags/${await idOf('tags', `name==${tag}`)}/merge`, {
          intoTagId: await idOf('tags', `name==${into}`),
        }),
    }
  }
  const one = editor()
  const other = editor(() => secondToken)
  const pause = () => sleep(5)

  /** What an apply says moved, of what was compared before `act`. */
  async function movedBy(sections: object, act: () => Promise<unknown>): Promise<Authored[]> {
    const snapshot = snapshotOf(sections)
    const { items } = bodyOf(await catalog.compare(snapshot))
    const expected = Object.fromEntries(items.map(({ key, fingerprint }: ReportedItem) => [key, fingerprint]))
    await pause()
    await act()
    const answer = await catalog.apply({ snapshot, expected })
    expect([answer.status, answer.body.codeName]).toEqual([409, 'catalog.environment_changed'])
    return answer.body.moved
  }
  const drifted = async (key: string): Promise<Authored> =>
    bodyOf(await catalog.drift()).items.find((item: Authored) => item.key === key)

  const addIn = { products: [{ productCode: 'ACME-ADDIN', description: 'wanted' }] }
  const addInIs = (body: object) => one.edit('products', 'productCode==ACME-ADDIN', body)
  const otherAddInIs = (body: object) => other.edit('products', 'productCode==ACME-ADDIN', body)
  const renameAddIn = () => otherAddInIs({ productCode: 'ACME-PLUGIN' })
  const renameCad = () => other.edit('products', 'productCode==ACME-CAD', { productCode: 'ACME-DRAW' })
  const tagOf = (name: string) => `name==${name}`

  describe('an item that another record’s change moved names who made that, whoever edited the item before', () => {
    const nothing = async () => undefined
    test.each<[string, string, object, () => Promise<unknown>, () => Promise<unknown>]>([
      ['parent renamed', 'product:ACME-ADDIN', addIn, () => addInIs({ description: 'edited' }), renameCad],
      [
        'member of a suite renamed',
        'suite:ACME-DESIGN',
        { suites: [{ code: 'ACME-DESIGN', name: 'wanted' }] },
        () => one.edit('suites', 'code==ACME-DESIGN', { description: 'edited' }),
        renameCad,
      ],
      [
        'product of a campaign’s target renamed',
        'rating-campaign:Exporting',
        { ratingCampaigns: [{ name: 'Exporting', description: 'wanted' }] },
        nothing,
        renameCad,
      ],
      [
        'suite of an offer’s plan renamed',
        'offer:CAD Team@1',
        { entitlementOffers: [{ name: 'CAD Team', version: '1', description: 'wanted' }] },
        () => one.edit('entitlements/offers', 'name==CAD Team', { description: 'edited' }),
        () => other.edit('suites', 'code==ACME-DESIGN', { code: 'ACME-BUILD' }),
      ],
      [
        'tag renamed by one, merged by another',
        'product:ACME-ADDIN',
        addIn,
        async () => {
          await addInIs({ tags: ['Beta'] })
          bodyOf(await catalog.import(snapshotOf({ products: [{ productCode: 'ACME-ADDIN' }] })))
          await one.edit('tags', tagOf('Beta'), { name: 'Gamma' })
          await one.ask('POST', 'tags', { scope: 'Product', name: 'Kept' })
        },
        () => other.merge('Gamma', 'Kept'),
      ],
      [
        'tag renamed by one, deleted by another',
        'product:ACME-ADDIN',
        addIn,
        async () => {
          await addInIs({ tags: ['Beta'] })
          bodyOf(await catalog.import(snapshotOf({ products: [{ productCode: 'ACME-ADDIN' }] })))
          await one.edit('tags', tagOf('Beta'), { name: 'Gamma' })
        },
        () => other.remove('tags', tagOf('Gamma')),
      ],
      [
        'tag that it was given since deleted',
        'product:ACME-ADDIN',
        addIn,
        () => addInIs({ tags: ['Given'], description: 'edited' }),
        () => other.remove('tags', tagOf('Given')),
      ],
      [
        'tag deleted',
        'feature:ACME-CAD@2.0/EXPORT_STEP',
        {
          featureCatalog: [
            { productCode: 'ACME-CAD', productVersion: '2.0', featureCode: 'EXPORT_STEP', units: 'wanted' },
          ],
        },
        () => one.edit('feature-catalog', 'featureCode==EXPORT_STEP', { name: 'edited' }),
        () => other.remove('tags', tagOf('Headline')),
      ],
    ])('%s', async (_what, key, sections, before, act) => {
      bodyOf(await catalog.import(wholeCatalog()))
      await pause()
      await before()
      let since = ''
      const moved = await movedBy(sections, () => {
        since = new Date().toISOString()
        return act()
      })
      const author = moved.find((one) => one.key === key)!
      expect([author.changedBy, author.changedAt! >= since]).toEqual([second, true])
      expect(await drifted(key)).toMatchObject(author)
    })

    test('a locked product names who locked it', async () => {
      bodyOf(await catalog.import(wholeCatalog()))
      await addInIs({ description: 'edited' })
      const locking = async () =>
        other.ask('POST', `products/${await other.idOf('products', 'productCode==ACME-ADDIN')}/lock`)
      const [author] = await movedBy(addIn, locking)
      expect(author).toMatchObject({ key: 'product:ACME-ADDIN', changedBy: second })
      expect(await drifted('product:ACME-ADDIN')).toMatchObject({ ...author })
    })

    test('but not who edited what it names without another name', async () => {
      bodyOf(await catalog.import(wholeCatalog()))
      await pause()
      await addInIs({ description: 'edited' })
      await pause()
      await other.edit('products', 'productCode==ACME-CAD', { description: 'edited' })
      expect(await drifted('product:ACME-ADDIN')).toMatchObject({ changedBy: first })
    })

    test('nor who renamed or deleted what it no longer named', async () => {
      bodyOf(await catalog.import(wholeCatalog()))
      await pause()
      await addInIs({ clearParentProduct: true })
      await one.edit('products', 'productCode==ACME-CAD', { tags: ['Cloud'] })
      await pause()
      await other.remove('tags', tagOf('Beta'))
      await renameCad()
      await pause()
      expect(await drifted('product:ACME-ADDIN')).toMatchObject({ changedBy: first })
      await one.edit('products', 'productCode==ACME-DRAW', { productCode: 'ACME-CAD' })
      const cad = await drifted('product:ACME-CAD@2.0')
      expect(cad).toMatchObject({ changedBy: first })
    })
  })

  describe('what differs by a name alone, which is there as it was at the import,', () => {
    const tagAgain = async () => {
      await pause()
      await one.ask('POST', 'tags', { scope: 'Product', name: 'Beta' })
    }
    test.each<[string, () => Promise<unknown>, string[]]>([
      [
        'as a tag in other letters',
        () => other.edit('tags', tagOf('Beta'), { name: 'BETA' }),
        ['product:ACME-CAD@2.0'],
      ],
      [
        'as a tag that was deleted, and made anew by another',
        async () => {
          await other.remove('tags', tagOf('Beta'))
          await tagAgain()
        },
        ['product:ACME-CAD@2.0'],
      ],
      [
        'as a tag that was merged, and made anew by another',
        async () => {
          await one.ask('POST', 'tags', { scope: 'Product', name: 'Kept' })
          await pause()
          await other.merge('Beta', 'Kept')
          await tagAgain()
        },
        ['product:ACME-CAD@2.0'],
      ],
      [
        'as a code that another product left',
        async () => {
          await one.edit('products', 'productCode==ACME-VIEW', { productCode: 'OLD-VIEW' })
          await pause()
          await other.edit('products', 'productCode==ACME-CAD', { productCode: 'ACME-VIEW', productVersion: '' })
        },
        ['feature:ACME-VIEW/EXPORT_STEP', 'metric:ACME-VIEW/export-step', 'plan-set:ACME-VIEW/Alone'],
      ],
      [
        'as codes that two products swapped',
        async () => {
          await other.edit('products', 'productCode==ACME-CAD', { productCode: 'TMP' })
          await other.edit('products', 'productCode==ACME-VIEW', { productCode: 'ACME-CAD', productVersion: '2.0' })
          await other.edit('products', 'productCode==TMP', { productCode: 'ACME-VIEW', productVersion: '' })
        },
        ['product:ACME-ADDIN', 'suite:ACME-DESIGN', 'plan-set:ACME-VIEW/Alone'],
      ],
      [
        'as a code that another product came by, and was deleted with',
        async () => {
          await renameCad()
          await pause()
          const { id } = await one.ask('POST', 'products', {
            productCode: 'ACME-CAD',
            productVersion: '2.0',
            name: 'Not it',
          })
          await one.ask('DELETE', `products/${id}`)
        },
        ['product:ACME-ADDIN', 'suite:ACME-DESIGN', 'offer:CAD Team@1', 'rating-campaign:Exporting'],
      ],
    ])('%s, names who made it so, and after the import', async (_what, act, keys) => {
      const { environmentRevision } = bodyOf(await catalog.import(wholeCatalog()))
      await pause()
      await act()
      const { since, items } = bodyOf(await catalog.drift())
      expect(since.revision).toBe(environmentRevision)
      for (const key of keys) expect(items).toContainEqual(expect.objectContaining({ key, changedBy: second }))
      for (const { changedAt } of items) expect(changedAt > since.importedAt).toBe(true)
    })
  })

  describe('a key that is gone names who gave it up', () => {
    test('last, where more than one had it', async () => {
      bodyOf(await catalog.import(wholeCatalog()))
      await pause()
      await one.remove('products', 'productCode==ACME-ADDIN')
      await pause()
      const { id } = await other.ask('POST', 'products', { productCode: 'ACME-ADDIN', name: 'Again' })
      await pause()
      const { updatedAt } = await other.ask('PATCH', `products/${id}`, { productCode: 'PLUGIN' })
      expect(await drifted('product:ACME-ADDIN')).toMatchObject({ changedAt: updatedAt, changedBy: second })
    })

    const records: [string, string, object, () => Promise<unknown>][] = [
      ['product', 'product:ACME-ADDIN', addIn, renameAddIn],
      ['version of a product', 'product:ACME-ADDIN', addIn, () => otherAddInIs({ productVersion: '3' })],
      [
        'feature',
        'feature:ACME-VIEW/PAN',
        { featureCatalog: [{ productCode: 'ACME-VIEW', featureCode: 'PAN', name: 'wanted' }] },
        () => other.edit('feature-catalog', 'featureCode==PAN', { featureCode: 'SHIFT' }),
      ],
      [
        'product of a feature',
        'feature:ACME-VIEW/PAN',
        { featureCatalog: [{ productCode: 'ACME-VIEW', featureCode: 'PAN', name: 'wanted' }] },
        () => other.edit('products', 'productCode==ACME-VIEW', { productCode: 'ACME-SEE' }),
      ],
      [
        'metric',
        'metric:ACME-VIEW/pans',
        { monitoredAssets: [{ productCode: 'ACME-VIEW', metricName: 'pans', name: 'wanted' }] },
        () => other.edit('monitored-assets', 'metricName==pans', { metricName: 'shifts' }),
      ],
      [
        'suite',
        'suite:ACME-DESIGN',
        { suites: [{ code: 'ACME-DESIGN', name: 'wanted' }] },
        () => other.edit('suites', 'code==ACME-DESIGN', { code: 'ACME-BUILD' }),
      ],
      [
        'suite of a plan set',
        'plan-set:ACME-DESIGN/Standard',
        { plans: [{ suiteCode: 'ACME-DESIGN', name: 'Standard', description: 'wanted' }] },
        () => other.edit('suites', 'code==ACME-DESIGN', { code: 'ACME-BUILD' }),
      ],
      [
        'product of a plan set',
        'plan-set:ACME-CAD@2.0/Alone',
        { plans: [{ suiteCode: 'ACME-CAD@2.0', name: 'Alone', description: 'wanted' }] },
        renameCad,
      ],
      [
        'plan set',
        'plan-set:ACME-CAD@2.0/Alone',
        { plans: [{ suiteCode: 'ACME-CAD@2.0', name: 'Alone', description: 'wanted' }] },
        () => other.edit('usage-plans/plan-sets', 'name==Alone', { name: 'Lonely' }),
      ],
      [
        'add-on',
        'add-on:RENDER-PACK',
        { addOns: [{ suiteCode: 'ACME-DESIGN', code: 'RENDER-PACK', name: 'wanted' }] },
        () => other.edit('add-ons', 'code==RENDER-PACK', { code: 'DRAW-PACK' }),
      ],
      [
        'offer',
        'offer:CAD Team@1',
        { entitlementOffers: [{ name: 'CAD Team', version: '1', description: 'wanted' }] },
        () => other.edit('entitlements/offers', 'name==CAD Team', { version: '2' }),
      ],
      [
        'tag',
        'tag:Product/Beta',
        { tags: [{ scope: 'Product', name: 'Beta', color: '#ffffff' }] },
        () => other.edit('tags', tagOf('Beta'), { name: 'Gamma' }),
      ],
      [
        'campaign',
        'rating-campaign:Exporting',
        { ratingCampaigns: [{ name: 'Exporting', description: 'wanted' }] },
        () => other.edit('rating-campaigns', 'name==Exporting', { name: 'Sending' }),
      ],
    ]
    const more = snapshotOf({
      featureCatalog: [{ productCode: 'ACME-VIEW', featureCode: 'PAN' }],
      monitoredAssets: [{ productCode: 'ACME-VIEW', metricName: 'pans', meteredUsage: { usageTiers: [] } }],
    })

    test.each(records)('renamed: %s', async (_what, key, sections, act) => {
      bodyOf(await catalog.import(wholeCatalog()))
      bodyOf(await catalog.import(more))
      // Another had given a record another name before, and its own again.
      await one.edit('products', 'productCode==ACME-VIEW', { productVersion: '1' })
      await one.edit('products', 'productCode==ACME-VIEW', { productVersion: '' })
      await pause()
      const moved = await movedBy(sections, act)
      const author = moved.find((found) => found.key === key)
      expect(author).toMatchObject({ changedAt: expect.any(String), changedBy: second })
      expect(await drifted(key)).toMatchObject({ ...author })
      await pause()
      await one.edit('products', 'name==Acme View', { description: 'edited since' })
      expect(await drifted(key)).toMatchObject({ ...author })
    })

    test.each(records)('made since the last import, and renamed: %s', async (_what, key, sections, act) => {
      bodyOf(await catalog.import(wholeCatalog()))
      bodyOf(await catalog.import(more))
      // As if all had been made by hand.
      await forgetImports(server.databaseUrl, server.tenantIds.acme)
      const moved = await movedBy(sections, act)
      expect(moved.find((found) => found.key === key)).toMatchObject({
        changedAt: expect.any(String),
        changedBy: second,
      })
    })

    test('before the last import, too', async () => {
      bodyOf(await catalog.import(wholeCatalog()))
      const [author] = await movedBy(addIn, async () => {
        await renameAddIn()
        await pause()
        bodyOf(await catalog.import(snapshotOf({ products: [{ productCode: 'ACME-NEW' }] })))
      })
      expect(author).toMatchObject({ key: 'product:ACME-ADDIN', changedBy: second })
    })

    test('each its own, of one kind', async () => {
      bodyOf(await catalog.import(wholeCatalog()))
      await one.edit('products', 'productCode==ACME-VIEW', { productCode: 'ACME-SEE' })
      await other.edit('products', 'productCode==ACME-ADDIN', { productCode: 'ACME-PLUGIN' })
      expect(await drifted('product:ACME-VIEW')).toMatchObject({ changedBy: first })
      expect(await drifted('product:ACME-ADDIN')).toMatchObject({ changedBy: second })
    })

    test('not who deleted a record of that name before the last import', async () => {
      bodyOf(await catalog.import(wholeCatalog()))
      await one.remove('products', 'productCode==ACME-ADDIN')
      bodyOf(await catalog.import(wholeCatalog()))
      await pause()
      const { updatedAt } = await other.edit('products', 'productCode==ACME-ADDIN', { productCode: 'ACME-PLUGIN' })
      expect(await drifted('product:ACME-ADDIN')).toMatchObject({ changedAt: updatedAt, changedBy: second })
    })
  })
})
