import type { BalanceUsage, MeteredUsage } from '../../../catalog-schema/metric.ts'

/** How a meter counts and charges: by tiers, or against a balance. */
export interface Definition {
  meteredUsage: MeteredUsage | null
  balanceUsage: BalanceUsage | null
}

/** What a meter is of, and how the catalog had it count and charge when it was opened. */
export interface OwnDefinition extends Definition {
  productId: string
  metricName: string
}

/** How usage is counted where nothing says how: by the defaults of metered usage. */
export const countingByDefault: MeteredUsage = {
  consumptionPeriod: 'Monthly',
  accumulationMethod: 'Sliced',
  usageTiers: [],
}
