import { findPlan } from '../../catalog/plan-sets/standing.ts'
import type { Readable } from '../../database/database.ts'
import { invalid } from '../../kit/problem.ts'
import type { AppliedPlan } from '../entitlements/stored.ts'

/** A plan as it is applied now, whatever its set's status; throws the validation problem for one that nobody has. */
export async function planLayer(
  read: Readable,
  tenantId: string,
  planSetId: string,
  planName: string,
): Promise<AppliedPlan> {
  const found = await findPlan(read, tenantId, planSetId, planName)
  if (!found) throw invalid([{ pointer: '/planSetId', message: 'there is no plan set with that id' }])
  const { set, plan } = found
  if (!plan) throw invalid([{ pointer: '/planName', message: `plan set "${set.name}" has no plan of that name` }])
  return {
    planSetId: set.id,
    planSetName: set.name,
    planId: plan.id,
    planName: plan.name,
    lineItems: plan.lineItems,
    brought: [],
  }
}
