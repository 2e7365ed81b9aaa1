import { findPricedPlanSet, listSoldPlanSets } from '../../catalog/plan-sets/standing.ts'
import { listSuitesWith } from '../../catalog/suites/surroundings.ts'
import type { Readable } from '../../database/database.ts'
import { invalid } from '../../kit/problem.ts'
import { licensedProductIds } from '../entitlements/licensed-products.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { readLayers } from '../entitlements/stored.ts'
import { choicesOf, type PlanChoice } from './choices.ts'

/**
 * The plan that an entitlement is on, and those that its customer may change to: the sold ones of the same suite, or, while
 * it is on none, of the suites that have one of its products.
 */
export async function listPlanChoices(read: Readable, row: EntitlementRow): Promise<PlanChoice[]> {
  const { plan } = readLayers(row)
  const set = plan ? await findPricedPlanSet(read, row.tenant_id, plan.planSetId) : undefined
  const suiteIds = plan ? (set ? [set.suiteId] : []) : await suitesOf(read, row)
  return choicesOf(plan, set, await listSoldPlanSets(read, row.tenant_id, suiteIds))
}

async function suitesOf(read: Readable, row: EntitlementRow): Promise<string[]> {
  const productIds = licensedProductIds(row)
  return (await listSuitesWith(read, row.tenant_id, productIds)).map(({ id }) => id)
}

/** The plan among an entitlement's choices that a request names; throws the validation problem for one that it cannot change to. */
export async function choosePlanToChangeTo(
  read: Readable,
  row: EntitlementRow,
  { planSetId, planName }: { planSetId: string; planName: string },
): Promise<PlanChoice> {
  const choices = await listPlanChoices(read, row)
  const ofSet = choices.filter((choice) => choice.planSetId === planSetId.toLowerCase())
  const named = ofSet.find(({ plan }) => plan.name === planName)
  if (named?.isCurrent) throw invalid([{ pointer: '/planName', message: 'the entitlement is on that plan' }])
  if (named) return named
  const isSold = ofSet.some((choice) => choice.isSold)
  const [pointer, message] = isSold
    ? ['/planName', `plan set "${ofSet[0]!.planSetName}" has no plan of that name`]
    : ['/planSetId', 'the entitlement cannot change to a plan of that set, or there is none with that id']
  throw invalid([{ pointer, message }])
}
