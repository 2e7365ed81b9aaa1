import type { Readable } from '../../database/database.ts'
import { addDecimals, compareDecimals, readStored, zero } from '../../kit/decimal.ts'
import { query } from '../../kit/procedure.ts'
import { withProducts } from '../products.ts'
import { totalMetrics } from '../usage/totalling.ts'
import { readWindow, type Window, windowToWire } from '../window.ts'
import { featureValueContract } from './contract.ts'
import { countUses, listFeatures } from './store.ts'
import { valued } from './valuing.ts'

export const featureValue = query(featureValueContract, async ({ read, tenant }, asked) => {
  const window = readWindow(asked)
  const used = await listUsedFeatures(read, tenant.id, window)
  const told = used.filter(({ valueScore, used }) => valueScore !== null || compareDecimals(used, zero) > 0)
  return { ...windowToWire(window), features: valued(await withProducts(read, tenant.id, told)) }
})

/** Every feature of the catalog with how much it was used in the window. */
async function listUsedFeatures(read: Readable, tenantId: string, window: Window) {
  const uses = new Map((await countUses(read, tenantId, window)).map((counted) => [counted.featureId, counted]))
  const totals = Map.groupBy(
    await totalMetrics(read, tenantId, window),
    ({ productId, metricName }) => `${productId} ${metricName}`,
  )
  return (await listFeatures(read, tenantId)).map((feature) => {
    if (feature.metricName === null) {
      const { entitlements = 0, uses: count = 0 } = uses.get(feature.featureId) ?? {}
      return { ...feature, entitlements, used: readStored(String(count)) }
    }
    const ofMetric = totals.get(`${feature.productId} ${feature.metricName}`) ?? []
    const entitlements = new Set(ofMetric.flatMap(({ entitlementIds }) => [...entitlementIds]))
    return {
      ...feature,
      entitlements: entitlements.size,
      used: ofMetric.map(({ usage }) => usage).reduce(addDecimals, zero),
    }
  })
}
