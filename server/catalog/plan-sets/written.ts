import { canonicalItem } from '../../../catalog-schema/canonical.ts'
import { pointerOf } from '../../../catalog-schema/paths.ts'
import type { Plan, PlanSet } from '../../../catalog-schema/plan-set.ts'
import { breachesOf, refuseBreaches, refuseErrors } from '../records/judging.ts'
import { standingAsGiven } from '../records/member-order.ts'
import { refuseRepeated } from '../records/repeated.ts'
import type { CatalogAround } from '../suites/surroundings.ts'
import { type GivenPlan, nameLineProducts } from './line-products.ts'

/**
 * The canonical plans that a request writes for a set of a suite. In a suite of one, `fillSole` lets a line item leave
 * its product out. Throws the validation problem, pointing into the request, for plans that break a rule.
 */
export function readPlansOf(
  given: readonly GivenPlan[],
  { suiteCode, around, fillSole }: { suiteCode: string; around: CatalogAround; fillSole: boolean },
): Plan[] {
  const sole = fillSole ? around.model.soleMemberOf(suiteCode) : undefined
  const { plans, errors } = nameLineProducts(standingAsGiven(given), around.names.findProduct, sole)
  refuseErrors(errors)
  const written = { suiteCode, name: '', plans }
  const pointer = (path: string) => pointerOf('planSet', written, path).replace(/\/productCode$/, '/productId')
  refuseRepeated('planSet', written, written)
  const item = canonicalItem('planSet', written)
  refuseBreaches(breachesOf('planSet', item, around.model), pointer)
  return (item as unknown as PlanSet).plans
}
