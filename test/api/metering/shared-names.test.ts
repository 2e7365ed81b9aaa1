import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { nextNumber } from '../catalog/catalog-collection.ts'
import { metersOf, tier } from './metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const meters = metersOf(server)
  const { admin, devices } = meters

  /** A product with metrics that are all of one limit. */
  const newProduct = async (endUsage: number, metrics: readonly string[]): Promise<Json> => {
    const product = await admin('products', { productCode: `SHARING-${nextNumber()}`, name: 'Sharing' })
    const meteredUsage = { usageTiers: [tier(0, endUsage, 'None')] }
    for (const metricName of metrics)
      await admin('monitored-assets', { productId: product.id, metricName, name: metricName, meteredUsage })
    return { productId: product.id }
  }

  test('of two products with a metric of one name calls mean that of the product which the entitlement has first', async () => {
    const metrics = ['calls', 'credits', 'exports', 'gb', 'minutes']
    for (const limits of [
      [1000, 5],
      [5, 1000],
      [30, 40, 20, 10],
    ]) {
      const products: Json[] = []
      for (const limit of limits) products.push(await newProduct(limit, metrics))
      for (const [first] of limits.entries()) {
        const turned = [...products.slice(first), ...products.slice(0, first)]
        const { id } = await devices.newEntitlement({ products: turned })
        const license = await meters.newSession(id)
        const decided = await Promise.all(metrics.map((metric) => meters.consume(license, metric, 1)))
        expect(decided.map(({ limit }) => limit)).toEqual(metrics.map(() => limits[first]))
      }
    }
  })
})
