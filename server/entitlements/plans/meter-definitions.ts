import type { BalanceUsage, MeteredUsage } from '../../../catalog-schema/metric.ts'
import type { UsageTier } from '../../../catalog-schema/usage-tier.ts'
import { countingByDefault, type Definition, type OwnDefinition } from '../../metering/meters/definition.ts'
import type { NamedMetric } from '../../metering/meters/metric.ts'
import type { Layers, StoredFeature } from '../entitlements/stored.ts'
import { limitIn, numberOf, operate, unlimited } from './add-on-operations.ts'
import { heldFeatures, metricOf, outcomeOf } from './layering.ts'
import { adjoined, deniedTiers, exactly, tiersWorkedOut } from './tier-layering.ts'
import { hearing, type Voices } from './voices.ts'

/**
 * Answers how a meter of an entitlement counts and charges: as the feature that it meters has it once plan and add-ons
 * have spoken, and as the catalog has it where it meters no feature. A feature that is not to be had denies every use, and
 * so does a product that the plan leaves out; of features under one metric the last that is to be had decides.
 */
export function definitions(
  own: readonly StoredFeature[],
  layers: Layers,
  productIds: readonly string[],
): (meter: OwnDefinition) => Definition {
  const heard = hearing(layers)
  const leftOut = new Set(layers.plan?.lineItems.flatMap(({ productId, included }) => (included ? [] : [productId])))
  const metered = Map.groupBy(heldFeatures(own, layers, productIds), (feature) =>
    [feature.productId, metricOf(feature, heard(feature))].join(' '),
  )
  return ({ productId, metricName, meteredUsage: written, balanceUsage }) => {
    // An asset that says neither only counts, until something limits it.
    const meteredUsage = written ?? (balanceUsage ? null : countingByDefault)
    const counting = (usageTiers: UsageTier[]) =>
      meteredUsage && (written || usageTiers.length > 0) ? { ...meteredUsage, usageTiers } : null
    const spoken = metered.get(`${productId} ${metricName}`)?.map((feature) => {
      const voices = heard(feature)
      const outcome = outcomeOf(feature, voices, meteredUsage?.usageTiers)
      const isFlaggedOff = feature.featureType === 'Boolean' && outcome.value === 'false'
      return { voices, outcome, isHad: feature.isEnabled && outcome.isGiven && !isFlaggedOff }
    })
    const decisive = spoken?.findLast(({ isHad }) => isHad) ?? spoken?.at(-1)
    if (decisive ? !decisive.isHad : leftOut.has(productId))
      return {
        meteredUsage: counting([...deniedTiers]),
        balanceUsage: balanceUsage && withheld(balanceUsage),
      }
    if (!decisive) return { meteredUsage: written && ofNothing(written), balanceUsage }
    return {
      meteredUsage: counting(tiersWorkedOut(decisive.outcome)),
      balanceUsage: balanceUsage && balanceUnder(balanceUsage, decisive.voices),
    }
  }
}

/** The metrics that an entitlement's Metered features report usage under, once plan and add-ons have spoken. */
export function metricsNamed(
  own: readonly StoredFeature[],
  layers: Layers,
  productIds: readonly string[],
): NamedMetric[] {
  const heard = hearing(layers)
  return heldFeatures(own, layers, productIds).flatMap((feature) => {
    const metric = feature.featureType === 'Metered' && metricOf(feature, heard(feature))
    return metric ? [{ product_id: feature.productId, metric_name: metric, name: feature.name ?? metric }] : []
  })
}

/** Tiers as they are where there is no feature whose value their percentages would be of: those are of 0. */
const ofNothing = (usage: MeteredUsage): MeteredUsage =>
  usage.usageTiers.length === 0
    ? usage
    : { ...usage, usageTiers: tiersWorkedOut({ value: null, tiers: adjoined(usage.usageTiers) }) }

/** A balance of what is not to be had: no credits are given, and those that there are stay untouched. */
const withheld = (balance: BalanceUsage): BalanceUsage => ({
  ...balance,
  isUnlimitedCredits: false,
  initialCreditAmount: 0,
  usageQuota: [{ endUsage: Number.MAX_VALUE, name: null, quotaUsageLevel: 'Critical' }],
})

/** A balance with the initial credits that plan and add-ons give; `Infinity` is without end. */
function balanceUnder(balance: BalanceUsage, { plan, addOns }: Voices): BalanceUsage {
  const enforcement = typeof plan === 'object' ? plan.enforcementType : plan
  const isWithheld = enforcement === 'NotIncluded' || enforcement === 'Denied'
  let amount = balance.isUnlimitedCredits ? unlimited : String(balance.initialCreditAmount)
  if (isWithheld) amount = '0'
  else if (typeof plan === 'object') amount = creditsIn(plan.value) ?? amount
  if (enforcement !== 'Denied')
    for (const { operation, value } of addOns) amount = operate(operation, amount, creditsIn(value)) ?? amount
  const credits = limitIn(amount)
  const isUnlimitedCredits = credits === unlimited
  if (isUnlimitedCredits || !credits) return { ...balance, isUnlimitedCredits }
  return { ...balance, isUnlimitedCredits, initialCreditAmount: exactly(credits) }
}

/** A value where it is a number of credits. */
const creditsIn = (value: string | null) => (numberOf(value) ? value : null)
