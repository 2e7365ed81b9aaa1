import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'
import { adminOf } from '../catalog/things-to-sell.ts'

forEachStore((store) => {
  const server = serveTests(store)
  const admin = adminOf(server)

  test('a record is shown with the tags that it had when it was as it is shown', async () => {
    const product = await admin.newProduct()
    const path = `products/${product.id}`
    const write = (mark: string) => must(admin.at('PATCH', path, { description: mark, tags: [mark] }))
    const marks = [0, 1].map((index) => `mark ${index} ${nextNumber()}`)
    await write(marks[0]!)
    let isOver = false
    const torn: unknown[] = []
    const readers = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const { description, tags } = await must(admin.at('GET', path))
        if (tags.length !== 1 || tags[0] !== description) torn.push([description, tags])
      }
    })
    for (let round = 1; round <= 40; round++) await write(marks[round % 2]!)
    isOver = true
    await Promise.all(readers)
    expect(torn).toEqual([])
  }, 60_000)
  test('so it is while imports change it, which another thread commits', async () => {
    const { productCode, productVersion } = await admin.newProduct()
    const marks = [0, 1].map((index) => `mark ${index} ${nextNumber()}`)
    const importMarked = (mark: string) => {
      const features = Array.from({ length: 20 }, (_, index) => ({
        ...{ productCode, productVersion, featureCode: `F${index}`, name: mark, tags: [mark] },
      }))
      const products = [{ productCode, productVersion, name: mark, description: mark, tags: [mark] }]
      return must(admin.at('POST', 'catalog/import', { formatVersion: '1.0', products, featureCatalog: features }))
    }
    await importMarked(marks[0]!)
    let isOver = false
    const torn: unknown[] = []
    const readers = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const { items } = await must(admin.at('GET', `products?filter=productCode==${productCode}`))
        const [{ description, tags }] = items
        if (tags.length !== 1 || tags[0] !== description) torn.push([description, tags])
      }
    })
    for (let round = 1; round <= 30; round++) await importMarked(marks[round % 2]!)
    isOver = true
    await Promise.all(readers)
    expect(torn).toEqual([])
  }, 60_000)
})
