import { wireNumber } from '../../kit/decimal.ts'
import { query } from '../../kit/procedure.ts'
import { withProducts } from '../products.ts'
import { readWindow, windowToWire } from '../window.ts'
import { usageContract } from './contract.ts'
import { totalMetrics } from './totalling.ts'

export const usage = query(usageContract, async ({ read, tenant }, asked) => {
  const window = readWindow(asked)
  const totals = await totalMetrics(read, tenant.id, window)
  const lines = totals.map(({ productId, metricName, kind, unit, usage, overage, entitlementIds }) => ({
    productId,
    metricName,
    kind,
    unit,
    entitlements: entitlementIds.size,
    usage: wireNumber(usage),
    overage: wireNumber(overage),
  }))
  return { ...windowToWire(window), metrics: await withProducts(read, tenant.id, lines) }
})
