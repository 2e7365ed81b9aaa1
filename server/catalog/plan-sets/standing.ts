import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { findRecord } from '../../kit/records/store.ts'
import { type PlanSetRow, readPlans } from './items.ts'
import type { StoredPlan } from './stored-plans.ts'

/** A plan set as offers and entitlements ask about it. */
export interface PlanSetStanding {
  id: string
  suiteId: string
  name: string
  planNames: string[]
}

/** The plan set of that id; undefined when there is none. */
export async function findPlanSet(
  readable: Readable,
  tenantId: string,
  id: string,
): Promise<PlanSetStanding | undefined> {
  const row = await findRecord(readable, 'plan_sets', tenantId, id)
  return row && { id: row.id, suiteId: row.suite_id, name: row.name, planNames: readPlans(row).map(({ name }) => name) }
}

/** A plan of a set by its name, undefined when the set has none of that name, with the set; nothing when there is no such set. */
export async function findPlan(
  readable: Readable,
  tenantId: string,
  planSetId: string,
  planName: string,
): Promise<{ set: { id: string; name: string; status: string }; plan: StoredPlan | undefined } | undefined> {
  const row = await findRecord(readable, 'plan_sets', tenantId, planSetId)
  return row && { set: row, plan: readPlans(row).find(({ name }) => name === planName) }
}

/** A plan set with all that it says of its plans. */
export interface PricedPlanSet {
  id: string
  suiteId: string
  name: string
  status: string
  plans: StoredPlan[]
}

const priced = (row: PlanSetRow): PricedPlanSet => ({
  id: row.id,
  suiteId: row.suite_id,
  name: row.name,
  status: row.status,
  plans: readPlans(row),
})

/** The plan set of that id with its plans, whatever its status; undefined when there is none. */
export async function findPricedPlanSet(
  readable: Readable,
  tenantId: string,
  id: string,
): Promise<PricedPlanSet | undefined> {
  const row = await findRecord(readable, 'plan_sets', tenantId, id)
  return row && priced(row)
}

/** The plan sets of these suites that are sold, by name. */
export async function listSoldPlanSets(
  readable: Readable,
  tenantId: string,
  suiteIds: readonly string[],
): Promise<PricedPlanSet[]> {
  if (suiteIds.length === 0) return []
  const rows = await readable
    .selectFrom('plan_sets')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('suite_id', 'in', suiteIds)
    .where('status', '=', 'Published')
    .where('is_deleted', '=', no)
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map(priced)
}
