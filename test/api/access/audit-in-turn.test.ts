import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../server/database/open.ts'
import { takeName } from '../../../server/kit/named-lock.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'
import { adminOf } from '../catalog/things-to-sell.ts'

forEachStore((store) => {
  const server = serveTests(store)
  const admin = adminOf(server)

  test('an edit that waited for an import is told from what the import left', async () => {
    for (let round = 0; round < 12; round++) {
      const product = await admin.newProduct({ description: 'As made' })
      const { productCode, productVersion, name } = product
      const products = [{ productCode, productVersion, name, description: 'As imported' }]
      const others = Array.from({ length: 300 }, () => ({ productCode: `OTHER${nextNumber()}`, name: 'Other' }))
      const snapshot = { formatVersion: '1.0', products: [...products, ...others] }
      const importing = must(admin.at('POST', 'catalog/import', snapshot))
      await sleep(Math.random() * 60)
      await must(admin.at('PATCH', `products/${product.id}`, { externalId: 'crm-1' }))
      await importing
      const { items } = await must(
        admin.at('GET', `audit?filter=recordId==${product.id},operation==admin.products.update`),
      )
      expect(items).toHaveLength(1)
      expect(items[0].after).not.toHaveProperty('/description')
    }
  }, 60_000)
  test.runIf(store.kind === 'postgres')(
    'what waited for another change of its record is dated when its turn came',
    async () => {
      const { id } = await admin.newProduct()
      const another = openDatabase(server.databaseUrl)
      onTestFinished(() => another.close())
      const { changing, over } = await another.transact(async (tx) => {
        await takeName(tx, `audit/${server.tenantIds.acme}/${id}`)
        const patched = must(admin.at('PATCH', `products/${id}`, { externalId: 'crm-1' }))
        await sleep(300)
        return { changing: [patched], over: Date.now() }
      })
      const { updatedAt, revisionNumber } = await changing[0]!
      expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(over)
      const { items } = await must(admin.at('GET', `audit?filter=recordId==${id},operation==admin.products.update`))
      expect(items).toMatchObject([{ occurredAt: updatedAt, after: { '/revisionNumber': revisionNumber } }])
    },
  )

  test('of changes that are made at once, the later one is dated no earlier', async () => {
    const { id } = await admin.newProduct()
    const patches = Array.from({ length: 60 }, (_, index) =>
      must(admin.at('PATCH', `products/${id}`, { description: `v${index}` })),
    )
    const changed = (await Promise.all(patches)).toSorted((a, b) => a.revisionNumber - b.revisionNumber)
    const times = changed.map(({ updatedAt }) => updatedAt)
    expect(times).toEqual(times.toSorted())
    const { items } = await must(admin.at('GET', `audit?filter=recordId==${id}&pageSize=100`))
    const told = items.map(({ after }: { after: Record<string, unknown> }) => after['/revisionNumber']).slice(0, 60)
    expect(told).toEqual(changed.map(({ revisionNumber }) => revisionNumber).toReversed())
  })
})
