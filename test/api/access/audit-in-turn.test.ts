import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
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
})
