import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { tagContracts } from '../../../server/catalog/tags/contract.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { catalogRevision, must, nextNumber, noSuchId, problemOf, testCollection } from './catalog-collection.ts'

const path = '/api/v1/provision/admin/tags'
const productsPath = '/api/v1/provision/admin/products'

forEachStore((store) => {
  const server = serveTests(store)

  const newTag = (body: object = {}) =>
    must(server.api('POST', path, { body: { scope: 'Product', name: `Tag ${nextNumber()}`, ...body } }))
  const newProduct = (tags: string[]) =>
    must(
      server.api('POST', productsPath, { body: { productCode: `CARRIER-${nextNumber()}`, name: 'A carrier', tags } }),
    )
  const read = (tag: { id: string }) => must(server.api('GET', `${path}/${tag.id}`))
  const productTags = async (product: { id: string }) =>
    (await must(server.api('GET', `${productsPath}/${product.id}`))).tags

  testCollection(() => server, {
    path,
    body: async (_server, n) => ({ scope: 'Product', name: `Label ${n}`, color: '#1A2b3c' }),
    rename: (n) => ({ name: `Renamed ${n}` }),
    alter: { color: '#00ff00' },
    fields: ['scope', 'name', 'color'],
    clashes: (body) => ({ ...body, name: String(body.name).toUpperCase() }),
    filterable: tagContracts.list.filterable,
    actions: [],
  })

  test('a tag is told apart without regard to letter case, and keeps the casing first written', async () => {
    const tag = await newTag({ name: 'Beta ÉTÉ' })
    const refused = await server.api('POST', path, { body: { scope: 'Product', name: 'bETA été' } })
    expect(problemOf(refused)).toEqual([409, 'catalog.duplicate_key'])
    expect(refused.body.detail).toContain('tag:Product/Beta ÉTÉ')
    const product = await newProduct(['BETA été', 'beta ÉTÉ'])
    expect(product.tags).toEqual(['Beta ÉTÉ'])
    expect((await read(tag)).usageCount).toBe(1)
    expect((await newTag({ name: 'beta été', scope: 'FeatureCatalog' })).scope).toBe('FeatureCatalog')
    expect((await must(server.api('PATCH', `${path}/${tag.id}`, { body: { name: 'BETA été' } }))).name).toBe('BETA été')
  })

  test('a tag is created when a record names it', async () => {
    const name = `Implicit ${nextNumber()}`
    await newProduct([name])
    const found = await must(server.api('GET', `${path}?filter=name==${encodeURIComponent(name)}`))
    expect(found.items).toMatchObject([{ scope: 'Product', name, color: null, usageCount: 1, revisionNumber: 1 }])
  })

  test('renaming carries every assignment, and an empty colour clears it', async () => {
    const tag = await newTag({ color: '#AABBCC' })
    const product = await newProduct([tag.name])
    const patch = (body: object) => must(server.api('PATCH', `${path}/${tag.id}`, { body }))
    expect(await patch({ name: 'Quite new' })).toMatchObject({ color: '#AABBCC', usageCount: 1, revisionNumber: 2 })
    expect(await productTags(product)).toEqual(['Quite new'])
    expect(await patch({ name: null, color: '' })).toMatchObject({ name: 'Quite new', color: null, revisionNumber: 3 })
  })

  test.each([
    [{ color: 'red' }, '/color'],
    [{ color: '#12345' }, '/color'],
    [{ name: '' }, '/name'],
    [{ name: ' spaced' }, '/name'],
    [{ name: 'x'.repeat(101) }, '/name'],
    [{ scope: 'FeatureCatalog' }, '/scope'],
    [{ scope: 'product' }, '/scope'],
    [{ name: 7 }, '/name'],
  ])('the edit %j is refused', async (body, pointer) => {
    const tag = await newTag()
    const refused = await server.api('PATCH', `${path}/${tag.id}`, { body })
    expect(problemOf(refused)).toEqual([400, 'license.validation_error'])
    expect(refused.body.errors[0].pointer).toBe(pointer)
  })

  test('merging moves every carrier to the kept tag, each once, and deletes the other', async () => {
    const [source, kept] = [await newTag(), await newTag()]
    const both = await newProduct([source.name, kept.name])
    const one = await newProduct([source.name])
    const merged = await must(server.api('POST', `${path}/${source.id}/merge`, { body: { intoTagId: kept.id } }))
    expect(merged).toMatchObject({ id: kept.id, name: kept.name, usageCount: 2 })
    expect([await productTags(both), await productTags(one)]).toEqual([[kept.name], [kept.name]])
    expect((await server.api('GET', `${path}/${source.id}`)).status).toBe(404)
    await newTag({ name: source.name })
  })

  test('a merge across scopes, into itself, or into what is not there is refused', async () => {
    const tag = await newTag()
    const other = await newTag({ scope: 'Entitlement' })
    const foreign = await must(
      server.api('POST', path, { tenant: 'neighbour', body: { scope: 'Product', name: `Theirs ${nextNumber()}` } }),
    )
    const merge = (intoTagId: unknown) => server.api('POST', `${path}/${tag.id}/merge`, { body: { intoTagId } })
    for (const id of [other.id, tag.id, tag.id.toUpperCase(), 'x', null])
      expect(problemOf(await merge(id))).toEqual([400, 'license.validation_error'])
    for (const id of [noSuchId, foreign.id])
      expect(problemOf(await merge(id))).toEqual([404, 'license.record_not_found'])
    expect(await read(tag)).toEqual(tag)
  })

  test('of two tags merged into one another at once, one survives and has every carrier', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await newTag(), await newTag()]
      const products = [await newProduct([a.name]), await newProduct([b.name])]
      const answers = await Promise.all([
        server.api('POST', `${path}/${a.id}/merge`, { body: { intoTagId: b.id } }),
        server.api('POST', `${path}/${b.id}/merge`, { body: { intoTagId: a.id } }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
      const kept = answers.find(({ status }) => status === 200)!.body
      expect((await read(kept)).usageCount).toBe(2)
      for (const product of products) expect(await productTags(product)).toEqual([kept.name])
    }
  })

  test('deleting a tag takes it off every record', async () => {
    const tag = await newTag()
    const product = await newProduct([tag.name])
    await must(server.api('DELETE', `${path}/${tag.id}`))
    expect(await productTags(product)).toEqual([])
  })

  describe('who carries a tag', () => {
    const admin = '/api/v1/provision/admin'
    const ways = [
      { scope: 'Product', path: 'products', body: (n: number) => ({ productCode: `CARRYING-${n}` }) },
      {
        scope: 'Product',
        path: 'monitored-assets',
        body: (n: number, productId: string) => ({ productId, metricName: `carried-${n}` }),
      },
      {
        scope: 'FeatureCatalog',
        path: 'feature-catalog',
        body: (n: number, productId: string) => ({ productId, featureCode: `CARRIED-${n}` }),
      },
      { scope: 'Entitlement', path: 'entitlements', body: () => ({}) },
      { scope: 'Entitlement', path: 'entitlements/offers', body: () => ({}) },
    ]

    test.each(ways)(
      'among $path is changed with its name, not its colour, and who read it before is told',
      async ({ scope, ...way }) => {
        const product = await newProduct([])
        const carrier = async (...tags: { name: string }[]) => {
          const n = nextNumber()
          const body = { name: `Carrier ${n}`, ...way.body(n, product.id), tags: tags.map(({ name }) => name) }
          return must(server.api('POST', `${admin}/${way.path}`, { body }))
        }
        const [tag, kept] = [await newTag({ scope }), await newTag({ scope })]
        const [both, one, other] = [await carrier(tag, kept), await carrier(tag), await carrier(kept)]
        const heads = () =>
          Promise.all(
            [both, one, other].map(async ({ id }) => {
              const record = await must(server.api('GET', `${admin}/${way.path}/${id}`))
              return [record.revisionNumber, record.updatedAt ?? record.lastUpdateTimeStamp] as const
            }),
          )
        const moved = async (act: () => Promise<unknown>) => {
          const before = await heads()
          const revision = await catalogRevision(server)
          await sleep(2)
          await act()
          expect(await catalogRevision(server)).toBe(revision + 1)
          const after = await heads()
          return after.map(([number, at], index) => {
            const [numberBefore, atBefore] = before[index]!
            expect(at > atBefore).toBe(number > numberBefore)
            return number - numberBefore
          })
        }
        const tagPath = `${path}/${tag.id}`
        const color = () => must(server.api('PATCH', tagPath, { body: { color: '#00ff00' } }))
        const rename = () => must(server.api('PATCH', tagPath, { body: { name: tag.name.toUpperCase() } }))
        const merge = () => must(server.api('POST', `${tagPath}/merge`, { body: { intoTagId: kept.id } }))
        const remove = () => must(server.api('DELETE', `${path}/${kept.id}`))

        expect(await moved(color)).toEqual([0, 0, 0])
        expect(await moved(rename)).toEqual([1, 1, 0])
        const stale = await server.api('PATCH', `${admin}/${way.path}/${one.id}`, {
          body: { tags: one.tags },
          headers: { 'if-match': `"${one.revisionNumber}"` },
        })
        expect(problemOf(stale)).toEqual([412, 'request.precondition_failed'])
        expect(await moved(merge)).toEqual([1, 1, 0])
        expect(await moved(remove)).toEqual([1, 1, 1])
      },
    )
  })
})
