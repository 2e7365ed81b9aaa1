import type { PlanSet } from '../../../catalog-schema/plan-set.ts'
import { newId } from '../../kit/ids.ts'
import { fromColumns, toColumns } from '../../kit/records/columns.ts'
import { rowHead, type Stamp } from '../../kit/records/stamp.ts'
import type { CatalogNames } from '../records/names.ts'
import type { CatalogTables } from '../tables.ts'
import { planSetStorage } from './fields.ts'
import { assignPlanIds } from './plan-ids.ts'
import { type StoredPlan, toItemPlans, toStoredPlans } from './stored-plans.ts'

export type PlanSetRow = CatalogTables['plan_sets']

/** The plans of a row, in canonical order. */
export const readPlans = (row: Pick<PlanSetRow, 'plans'>) => JSON.parse(row.plans) as StoredPlan[]

/** A plan set's row in a snapshot's shape. */
export const toItem = (row: PlanSetRow, names: CatalogNames): PlanSet =>
  fromColumns(planSetStorage, row, {
    suiteCode: names.suite(row.suite_id),
    plans: toItemPlans(readPlans(row), names.product),
  }) as PlanSet

/** The row that a canonical plan set is written as, in place of the one before it; plans keep the ids that `planIds`, or else their names in the row before, give them. */
export const toRow = (
  item: PlanSet,
  id: string,
  names: CatalogNames,
  stamp: Stamp,
  before?: PlanSetRow,
  planIds = assignPlanIds(item.plans, before ? readPlans(before) : [], newId).ids,
) =>
  ({
    ...rowHead(id, before, stamp),
    ...toColumns(planSetStorage, item),
    suite_id: names.suiteId(item.suiteCode),
    revision_date: stamp.now,
    plans: JSON.stringify(toStoredPlans(item.plans, (name) => planIds.get(name)!, names.productId)),
  }) as PlanSetRow
