import { keyOf } from '../../../catalog-schema/keys.ts'
import type { Readable } from '../../database/database.ts'
import { no, yes } from '../../kit/flags.ts'
import type { ListSource } from '../../kit/records/store.ts'
import { planSetFilterFields } from './fields.ts'
import { type PlanSetRow, readPlans } from './items.ts'

export const planSetSource: ListSource<PlanSetRow> = { table: 'plan_sets', fields: planSetFilterFields }

/** The id of the suite's live plan set with a name. */
export const findPlanSetByName = (readable: Readable, tenantId: string, suiteId: string, name: string) =>
  readable
    .selectFrom('plan_sets')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('suite_id', '=', suiteId)
    .where('name', '=', name)
    .where('is_deleted', '=', no)
    .executeTakeFirst()

/** The offers that start on a plan of the set, by key, with that plan's name. */
export async function offersOn(readable: Readable, tenantId: string, planSetId: string) {
  const rows = await readable
    .selectFrom('entitlements')
    .select(['name', 'version', 'assigned_plan_name'])
    .where('tenant_id', '=', tenantId)
    .where('is_offer', '=', yes)
    .where('is_deleted', '=', no)
    .where('assigned_plan_set_id', '=', planSetId)
    .execute()
  return rows.map((row) => ({ key: keyOf('entitlementOffer', row), planName: row.assigned_plan_name }))
}

/** The names of the plans that the other sets of a set's suite have. */
export async function planNamesBeside(readable: Readable, set: PlanSetRow): Promise<string[]> {
  const others = await readable
    .selectFrom('plan_sets')
    .select('plans')
    .where('tenant_id', '=', set.tenant_id)
    .where('suite_id', '=', set.suite_id)
    .where('is_deleted', '=', no)
    .where('id', '!=', set.id)
    .execute()
  return others.flatMap((other) => readPlans(other).map(({ name }) => name))
}
