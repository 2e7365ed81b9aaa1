import { canonicalItem } from '../../../catalog-schema/canonical.ts'
import type { Offer } from '../../../catalog-schema/offer.ts'
import { pointerOf } from '../../../catalog-schema/paths.ts'
import { findPlanSet } from '../../catalog/plan-sets/standing.ts'
import { breachesOf, refuseBreaches } from '../../catalog/records/judging.ts'
import { refuseRepeated } from '../../catalog/records/repeated.ts'
import { type CatalogAround, getSuite, loadAround } from '../../catalog/suites/surroundings.ts'
import type { Readable } from '../../database/database.ts'
import { invalid } from '../../kit/problem.ts'
import type { PlanChoice } from './given-plan.ts'
import { withGroup } from './items.ts'

type Fields = Record<string, unknown>

/** The products, and the plan set's suite, as a catalog that rules can be asked in; throws the validation problem for a plan set that nobody has. */
export async function loadOfferAround(
  readable: Readable,
  tenantId: string,
  productIds: readonly string[],
  planSetIds: readonly (string | null)[],
): Promise<CatalogAround> {
  const sets = []
  for (const id of new Set(planSetIds)) {
    if (id === null) continue
    const set = await findPlanSet(readable, tenantId, id)
    if (!set) throw invalid([{ pointer: '/assignedPlanSetId', message: 'there is no plan set with that id' }])
    sets.push({ ...set, suite: await getSuite(readable, tenantId, set.suiteId) })
  }
  const around = await loadAround(
    readable,
    tenantId,
    productIds,
    sets.map(({ suite }) => suite),
  )
  for (const { id, suite, name, planNames } of sets) {
    around.names.addPlanSet(id, suite.id, name)
    around.model.add('planSet', { suiteCode: suite.code, name, plans: planNames.map((plan) => ({ name: plan })) })
  }
  return around
}

/** The plan that an offer starts on, as an item names it. */
export function namePlan({ planSetId, planName }: PlanChoice, { names }: CatalogAround): Offer['assignedPlan'] {
  if (planSetId === null) return null
  const { suiteCode, name } = names.planSet(planSetId)
  return { suiteCode, planSetName: name, planName: planName! }
}

/** The canonical offer that a request's item is; throws the validation problem, pointing into the request, when it breaks a rule. */
export function judgeOffer(written: Fields, { model }: CatalogAround): Offer {
  const pointer = (path: string) =>
    pointerOf('entitlementOffer', written, path)
      .replace(/\/productCode$/, '/productId')
      .replace(/^\/assignedPlan(\/.*)?$/, '/assignedPlanName')
  refuseRepeated('entitlementOffer', written, written)
  const item = canonicalItem('entitlementOffer', written)
  refuseBreaches(breachesOf('entitlementOffer', item, model), pointer)
  // A request has the group by its id, in letters of either case.
  return withGroup(item as unknown as Offer, (id) => id.toLowerCase())
}
