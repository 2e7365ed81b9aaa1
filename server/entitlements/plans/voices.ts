import type { AddOnFeatureValue } from '../../../catalog-schema/add-on.ts'
import type { PlanFeatureValue } from '../../../catalog-schema/plan-set.ts'
import type { Layers, StoredFeature } from '../entitlements/stored.ts'

/** What an entitlement's plan and add-ons say of one of its features. */
export interface Voices {
  /** What the plan gives of it; 'NotIncluded' when the plan does not include its product; undefined when the plan says nothing of it. */
  plan: PlanFeatureValue | 'NotIncluded' | undefined
  /** What the add-ons change of it under this plan, in the order in which they were applied. */
  addOns: AddOnFeatureValue[]
}

/** Answers what layers say of a feature. */
export function hearing({
  plan,
  addOns,
}: Layers): (feature: Pick<StoredFeature, 'productId' | 'featureCode'>) => Voices {
  const lines = new Map(
    plan?.lineItems.map(({ productId, included, featureValues }) => [
      productId,
      { included, values: new Map(featureValues.map((value) => [value.featureCode, value])) },
    ]),
  )
  const changes = addOns.map(({ productIds, featureValues }) => ({
    productIds: new Set(productIds),
    values: new Map(
      featureValues
        .filter((value) => isAimedAt(value, plan?.planName))
        .map((value) => [value.featureCode, value] as const),
    ),
  }))
  return ({ productId, featureCode }) => {
    const line = lines.get(productId)
    return {
      plan: line && !line.included ? 'NotIncluded' : line?.values.get(featureCode),
      addOns: changes.flatMap(({ productIds, values }) =>
        productIds.has(productId) ? (values.get(featureCode) ?? []) : [],
      ),
    }
  }
}

/** Whether an add-on's change acts on a plan: on every one, and where there is none, unless it names those it is for. */
const isAimedAt = ({ planTargets }: AddOnFeatureValue, planName: string | undefined) =>
  planTargets.length === 0 || (planName !== undefined && planTargets.includes(planName))
