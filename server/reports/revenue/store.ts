import { sql } from 'kysely'
import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'
import { isLive, isTrial } from '../store.ts'

/** How many live entitlements (Active or Suspended) are on each plan, and on none. */
export const countByPlan = (read: Readable, tenantId: string) =>
  read
    .selectFrom('entitlements')
    .where('tenant_id', '=', tenantId)
    .where('is_offer', '=', no)
    .where(isLive)
    .select(['assigned_plan_set_id as planSetId', 'assigned_plan_name as planName'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .select(sql<number>`sum(case when ${isTrial} then 1 else 0 end)`.as('trials'))
    .groupBy(['assigned_plan_set_id', 'assigned_plan_name'])
    .execute()

/** Plan sets by their ids, deleted ones too, with the suite that each is for and the product whose own suite that is. */
export const listPlanSets = (read: Readable, tenantId: string, ids: readonly string[]) =>
  read
    .selectFrom('plan_sets')
    .innerJoin('suites', 'suites.id', 'plan_sets.suite_id')
    .leftJoin('products', 'products.id', 'suites.own_product_id')
    .where('plan_sets.tenant_id', '=', tenantId)
    .where(isAmong(read, 'plan_sets.id', listed(read, ids)))
    .select(['plan_sets.id as id', 'plan_sets.name as name', 'plan_sets.plans as plans', 'suites.code as suiteCode'])
    .select(['products.id as productId', 'product_code as productCode', 'product_version as productVersion'])
    .orderBy('suites.code')
    .orderBy('plan_sets.name')
    .orderBy('plan_sets.id')
    .execute()
