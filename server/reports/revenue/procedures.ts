import type { StoredPlan } from '../../catalog/plan-sets/stored-plans.ts'
import type { Readable } from '../../database/database.ts'
import { toInstant } from '../../kit/instants.ts'
import { query } from '../../kit/procedure.ts'
import { revenueContract } from './contract.ts'
import { type PlanInUse, runRatesOf } from './run-rate.ts'
import { countByPlan, listPlanSets } from './store.ts'

export const revenue = query(revenueContract, async ({ read, tenant, now }) => {
  const counts = await countByPlan(read, tenant.id)
  return {
    asOf: toInstant(now),
    ...runRatesOf(await listPlansInUse(read, tenant.id, counts)),
    withoutPlan: counts.filter(({ planSetId }) => planSetId === null).reduce((sum, { count }) => sum + count, 0),
  }
})

type Counts = Awaited<ReturnType<typeof countByPlan>>

/** The plans that entitlements are on, at the prices of now, by suite and plan set; within a set in its own order. */
async function listPlansInUse(read: Readable, tenantId: string, counts: Counts): Promise<PlanInUse[]> {
  const bySet = Map.groupBy(counts, ({ planSetId }) => planSetId)
  const sets = await listPlanSets(
    read,
    tenantId,
    [...bySet.keys()].filter((id) => id !== null),
  )
  return sets.flatMap(({ id, name, plans, ...whose }) => {
    const known = (JSON.parse(plans) as StoredPlan[]).toSorted((a, b) => a.sortOrder - b.sortOrder)
    const placeOf = (planName: string | null) => known.findIndex((plan) => plan.name === planName)
    return bySet
      .get(id)!
      .toSorted((a, b) => placeOf(a.planName) - placeOf(b.planName))
      .map(({ planName, count, trials }) => {
        const plan = known[placeOf(planName)]
        return {
          ...whose,
          planSetId: id,
          planSetName: name,
          planName: planName ?? '',
          pricingMode: plan?.pricingMode ?? null,
          currency: plan?.currency ?? null,
          monthlyPrice: plan?.monthlyPrice ?? null,
          relativeWeight: plan?.relativeWeight ?? null,
          entitlements: count - trials,
          trials,
        }
      })
  })
}
