import { keyOf, keyText } from '../../../catalog-schema/keys.ts'
import type { Tx } from '../../database/database.ts'
import type { StoredPlan } from '../plan-sets/stored-plans.ts'

interface User {
  key: string
  /** The products it speaks of. */
  productIds: readonly string[]
}

/** The plan sets and add-ons of a suite by key, each with the suite's products that it speaks of. */
export async function listSuiteUsers(tx: Tx, tenantId: string, suite: { id: string; code: string }): Promise<User[]> {
  const sets = await tx
    .selectFrom('plan_sets')
    .select(['name', 'plans'])
    .where('tenant_id', '=', tenantId)
    .where('suite_id', '=', suite.id)
    .where('is_deleted', '=', 0)
    .execute()
  const addOns = await tx
    .selectFrom('add_ons')
    .select(['code', 'features'])
    .where('tenant_id', '=', tenantId)
    .where('suite_id', '=', suite.id)
    .where('is_deleted', '=', 0)
    .execute()
  return [
    ...sets.map(({ name, plans }) => ({
      key: keyOf('planSet', { suiteCode: suite.code, name }, keyText),
      productIds: (JSON.parse(plans) as StoredPlan[]).flatMap(({ lineItems }) =>
        lineItems.map(({ productId }) => productId),
      ),
    })),
    ...addOns.map(({ code, features }) => ({
      key: keyOf('addOn', { code }),
      productIds: (JSON.parse(features) as { productId: string }[]).map(({ productId }) => productId),
    })),
  ]
}
