import type { BalanceUsage, MeteredUsage } from '../../../catalog-schema/metric.ts'
import type { Readable, Tx } from '../../database/database.ts'
import { decimalOf, parseExactly } from '../../kit/decimal.ts'
import { RecentlyUsed } from '../../kit/recently-used.ts'
import { readAutoBalance } from '../balances/auto-balance.ts'
import { readBands } from '../balances/band.ts'
import type { MeterTables } from '../meters/tables.ts'
import { lastEnd, readTiers } from '../tiers/tier.ts'
import type { Balance, Meter, Metered } from './meter.ts'

type MeterRow = MeterTables['meters']

/** How old usage may be when it is reported, unless the catalog says otherwise. */
export const usualTolerance = 'P3D'

/** What a meter is, without how it stands. */
export type MeterDefinition = Omit<Meter, 'state'>

/** Transactions that have written definitions: until they are committed, another may give their revisions to others. */
const writing = new WeakSet<Readable>()

/** Has what a transaction reads of definitions from now on kept by nobody, since it has written some. */
export const keepNone = (tx: Tx): void => void writing.add(tx)

/** What a meter's row says of it, read once for each revision. One that is neither tiered nor a balance only counts. */
export function definitionOf(read: Readable, row: MeterRow): MeterDefinition {
  let definition = knownDefinition(row.id, row.revision_number)
  if (!definition) {
    definition = {
      id: row.id,
      entitlementId: row.entitlement_id,
      productId: row.product_id,
      metricName: row.metric_name,
      backDatingTolerance: row.allowed_back_dating_tolerance ?? usualTolerance,
      openedAt: row.created_at,
      ...readUsage(row),
    }
    if (!writing.has(read)) definitions.set(row.id, { revision: row.revision_number, definition })
  }
  return definition
}

/** A definition that was read before; undefined when it was not, or is forgotten. */
export function knownDefinition(meterId: string, revision: number): MeterDefinition | undefined {
  const known = definitions.get(meterId)
  return known?.revision === revision ? known.definition : undefined
}

/** By their meters, each in the revision that was read last. */
const definitions = new RecentlyUsed<{ revision: number; definition: MeterDefinition }>(20_000)

/** A balance that names its own unit alone is counted in that. */
function readUsage({ unit, metered_usage, balance_usage }: MeterRow): Pick<Meter, 'unit' | 'metered' | 'balance'> {
  if (balance_usage !== null) {
    const usage = parseExactly(balance_usage) as BalanceUsage
    return { unit: unit ?? usage.unit, metered: null, balance: readBalance(usage) }
  }
  return {
    unit,
    metered: readMetered(metered_usage === null ? onlyCounting : (parseExactly(metered_usage) as MeteredUsage)),
    balance: null,
  }
}

const onlyCounting: MeteredUsage = { consumptionPeriod: 'Lifetime', accumulationMethod: 'Sliced', usageTiers: [] }

/** How a definition has usage counted. */
export function readMetered(usage: MeteredUsage): Metered {
  const tiers = readTiers(usage)
  return {
    tiers,
    isVolume: usage.accumulationMethod === 'Volume',
    period: usage.consumptionPeriod,
    end: lastEnd(tiers),
    written: usage.usageTiers,
  }
}

/** How a definition has credits kept. */
export const readBalance = (usage: BalanceUsage): Balance => ({
  initialCredits: decimalOf(usage.initialCreditAmount),
  isUnlimited: usage.isUnlimitedCredits,
  bands: readBands(usage),
  autoBalance: readAutoBalance(usage),
})
