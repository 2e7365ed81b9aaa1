import { findPlan } from '../../catalog/plan-sets/standing.ts'
import type { StoredLine } from '../../catalog/plan-sets/stored-plans.ts'
import type { Readable } from '../../database/database.ts'
import { Problem, recordNotFound } from '../../kit/problem.ts'
import type { AppliedPlan } from '../entitlements/stored.ts'
import { refuseRetired } from './retired.ts'
import { copySpoken } from './spoken-features.ts'

/** A plan as it is applied now, whatever its set's status; throws the not-found problem for one that nobody has. */
export async function planLayer(read: Readable, tenantId: string, planSetId: string, planName: string) {
  return layerOf(read, tenantId, await getPlan(read, tenantId, planSetId, planName))
}

/** The same of a plan that may be given; throws the validation problem, too, when its set is retired. */
export async function givenPlanLayer(read: Readable, tenantId: string, planSetId: string, planName: string) {
  const found = await getPlan(read, tenantId, planSetId, planName)
  refuseRetired(`plan set "${found.set.name}"`, found.set.status, '/planSetId')
  return layerOf(read, tenantId, found)
}

async function layerOf(
  read: Readable,
  tenantId: string,
  { set, plan }: Awaited<ReturnType<typeof getPlan>>,
): Promise<AppliedPlan> {
  const { id: planId, name: planName, lineItems } = plan
  const brought = await copySpoken(read, tenantId, lineItems.flatMap(spokenBy))
  return { planSetId: set.id, planSetName: set.name, planId, planName, lineItems, brought }
}

async function getPlan(read: Readable, tenantId: string, planSetId: string, planName: string) {
  const found = await findPlan(read, tenantId, planSetId, planName)
  if (!found) throw recordNotFound('plan set')
  const { set, plan } = found
  if (!plan) throw new Problem('license.record_not_found', `Plan set "${set.name}" has no plan "${planName}".`)
  return { set, plan }
}

/** The features of its product that a line speaks of; of what it withholds, too, so that it withholds what only the catalog has. */
const spokenBy = ({ productId, included, featureValues }: StoredLine) =>
  included ? featureValues.map(({ featureCode }) => ({ productId, featureCode })) : []
