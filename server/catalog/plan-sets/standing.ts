import type { Readable } from '../../database/database.ts'
import { findRecord } from '../../kit/records/store.ts'
import { readPlans } from './items.ts'

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
