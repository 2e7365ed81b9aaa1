import type { UsageTier } from '../../../catalog-schema/usage-tier.ts'
import type { Layers, StoredFeature } from '../entitlements/stored.ts'
import { operate } from './add-on-operations.ts'
import { changeTiers, planTiers } from './tier-layering.ts'
import { hearing, type Voices } from './voices.ts'

/**
 * An entitlement's features as they are in effect, those of its products alone: its own, then what its plan says of them,
 * then its add-ons in their order; those that only plan or add-ons bring come last.
 */
export function layered(own: readonly StoredFeature[], layers: Layers, productIds: readonly string[]): StoredFeature[] {
  const heard = hearing(layers)
  return heldFeatures(own, layers, productIds).map((feature) => effective(feature, heard(feature)))
}

/** The features that an entitlement has of its products, before what plan and add-ons say of them: its own, and those that they bring. */
export function heldFeatures(
  own: readonly StoredFeature[],
  layers: Layers,
  productIds: readonly string[],
): StoredFeature[] {
  const all = [...own, ...broughtInEffect(layers)]
  return firstOfEach(all.filter(({ productId }) => productIds.includes(productId)))
}

/** By what features are told apart. */
export const identityOf = ({ productId, featureCode }: Pick<StoredFeature, 'productId' | 'featureCode'>) =>
  `${productId} ${featureCode}`

/**
 * What plan and add-ons bring that is not the entitlement's own, each once: where both bring a feature, the plan's copy of it,
 * which is the one in effect.
 */
export const broughtIn = ({ plan, addOns }: Layers): StoredFeature[] =>
  firstOfEach([...(plan?.brought ?? []), ...addOns.flatMap(({ brought }) => brought)])

/** The same of what is in effect: of an add-on, what it changes under this plan. */
function broughtInEffect({ plan, addOns }: Layers): StoredFeature[] {
  const heard = hearing({ plan, addOns })
  const isChanged = (feature: StoredFeature) => heard(feature).addOns.length > 0
  return broughtIn({ plan, addOns: addOns.map((addOn) => ({ ...addOn, brought: addOn.brought.filter(isChanged) })) })
}

function firstOfEach(features: readonly StoredFeature[]): StoredFeature[] {
  const first = new Map<string, StoredFeature>()
  for (const feature of features) if (!first.has(identityOf(feature))) first.set(identityOf(feature), feature)
  return [...first.values()]
}

function effective(own: StoredFeature, voices: Voices): StoredFeature {
  const { value, isGiven } = outcomeOf(own, voices)
  return { ...own, value, usageMetric: metricOf(own, voices), isEnabled: own.isEnabled && isGiven }
}

/** The metric that meters a feature: the one that the plan names, or else its own. */
export const metricOf = ({ usageMetric }: Pick<StoredFeature, 'usageMetric'>, { plan }: Voices): string | null =>
  (typeof plan === 'object' ? plan.metricName : null) ?? usageMetric

/** What plan and add-ons make of a feature. */
export interface Outcome {
  value: string | null
  /** False when the plan denies it, or leaves it out and no add-on brings it back. */
  isGiven: boolean
  /** The tiers that limit it, their percentages not yet worked out; null when its value alone does. */
  tiers: UsageTier[] | null
}

/**
 * What plan and add-ons make of a feature that has `tiers` of its own: the plan's value and tiers stand in place of its
 * own, and each add-on goes on from there. What the plan leaves out an add-on may bring back; what it denies stays denied.
 */
export function outcomeOf(
  own: Pick<StoredFeature, 'featureType' | 'value'>,
  { plan, addOns }: Voices,
  tiers: readonly UsageTier[] = [],
): Outcome {
  const enforcement = typeof plan === 'object' ? plan.enforcementType : plan
  const isWithheld = enforcement === 'NotIncluded' || enforcement === 'Denied'
  const given = typeof plan === 'object' ? plan.value : null
  const outcome: Outcome = {
    value: given ?? (isWithheld ? nothingOf(own) : own.value),
    isGiven: !isWithheld,
    tiers: isWithheld ? null : planTiers(tiers, plan),
  }
  if (enforcement === 'Denied') return outcome
  for (const change of addOns) {
    outcome.tiers = changeTiers(outcome, change)
    outcome.value = operate(change.operation, outcome.value, change.value)
    outcome.isGiven = true
  }
  return outcome
}

/** The value of a feature that is not to be had. */
const nothingOf = ({ featureType }: Pick<StoredFeature, 'featureType'>) => (featureType === 'Boolean' ? 'false' : null)
