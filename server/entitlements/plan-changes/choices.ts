import type { PricedPlanSet } from '../../catalog/plan-sets/standing.ts'
import type { StoredPlan } from '../../catalog/plan-sets/stored-plans.ts'
import type { AppliedPlan } from '../entitlements/stored.ts'

/** A plan that an entitlement is on, or could be on. */
export interface PlanChoice {
  planSetId: string
  planSetName: string
  plan: ChosenPlan
  isCurrent: boolean
  /** Whether it is sold: only such a plan can be changed to. */
  isSold: boolean
}
type ChosenPlan = Pick<
  StoredPlan,
  'id' | 'name' | 'description' | 'sortOrder' | 'monthlyPrice' | 'currency' | 'lineItems'
>

/**
 * The plan that an entitlement is on, then those of the sold sets in their order. The first is as its set has it now, whether
 * that is sold or not, and where no set has it any more as it was applied, without a price.
 */
export function choicesOf(
  current: AppliedPlan | null,
  currentSet: PricedPlanSet | undefined,
  sold: readonly PricedPlanSet[],
): PlanChoice[] {
  const isCurrent = (planSetId: string, name: string) => current?.planSetId === planSetId && current.planName === name
  const offered = sold.flatMap(({ id, name, plans }) =>
    plans.map((plan) => ({
      planSetId: id,
      planSetName: name,
      plan,
      isCurrent: isCurrent(id, plan.name),
      isSold: true,
    })),
  )
  const others = offered.filter((choice) => !choice.isCurrent)
  if (current === null) return others
  const { planSetId, planSetName } = current
  const kept = currentSet?.plans.find(({ name }) => name === current.planName)
  const held = { planSetId, planSetName, plan: kept ?? asApplied(current), isCurrent: true, isSold: false }
  return [offered.find((choice) => choice.isCurrent) ?? held, ...others]
}

const asApplied = ({ planId, planName, lineItems }: AppliedPlan): ChosenPlan => ({
  id: planId,
  name: planName,
  description: null,
  sortOrder: 0,
  monthlyPrice: null,
  currency: null,
  lineItems,
})
