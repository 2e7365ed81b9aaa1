import type { MeteredUsage } from '../../../catalog-schema/metric.ts'
import { addDecimals, compareDecimals, type Decimal, parseExactly, readStored, zero } from '../../kit/decimal.ts'
import { readTiers, type Tier } from '../../metering/tiers/tier.ts'
import { overageOf } from './overage.ts'

/** What was used of a metric by all the entitlements that are metered with it. */
export interface MetricTotal {
  productId: string
  metricName: string
  unit: string | null
  kind: 'Metered' | 'Balance'
  usage: Decimal
  overage: Decimal
  /** The entitlements by which something was used, whatever meters of it they have had. */
  entitlementIds: Set<string>
}

/** A meter's own facts, and its definition in effect; JSON, null of a balance. */
interface MeterFacts {
  entitlementId: string
  productId: string
  metricName: string
  unit: string | null
  meteredUsage: string | null
}

/** Adds up usage by product, metric and kind. */
export class MetricTotals {
  readonly #totals = new Map<string, MetricTotal>()
  readonly #tiers = new Map<string, Tier[]>()

  /** Adds what was used of one period of a meter. */
  addPeriod(meter: MeterFacts & { usage: string }): void {
    const usage = readStored(meter.usage)
    this.#add(meter, 'Metered', usage, overageOf(usage, this.#tiersOf(meter.meteredUsage)))
  }

  /** Adds what was consumed of a balance, and what of it nobody has paid for. */
  addConsumption(meter: MeterFacts, consumed: Decimal, unfunded: Decimal): void {
    this.#add(meter, 'Balance', consumed, unfunded)
  }

  /** The totals by product and metric. */
  list(): MetricTotal[] {
    return [...this.#totals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total)
  }

  #add(
    { entitlementId, productId, metricName, unit }: MeterFacts,
    kind: MetricTotal['kind'],
    usage: Decimal,
    over: Decimal,
  ) {
    const key = `${productId} ${metricName} ${kind}`
    const blank = { productId, metricName, unit, kind, usage: zero, overage: zero, entitlementIds: new Set<string>() }
    const total: MetricTotal = this.#totals.get(key) ?? blank
    this.#totals.set(key, total)
    total.usage = addDecimals(total.usage, usage)
    total.overage = addDecimals(total.overage, over)
    if (compareDecimals(usage, zero) > 0) total.entitlementIds.add(entitlementId)
  }

  /** Entitlements of one plan are metered alike: the same text is read once. */
  #tiersOf(meteredUsage: string | null): Tier[] {
    if (meteredUsage === null) return []
    const tiers = this.#tiers.get(meteredUsage) ?? readTiers(parseExactly(meteredUsage) as MeteredUsage)
    this.#tiers.set(meteredUsage, tiers)
    return tiers
  }
}
