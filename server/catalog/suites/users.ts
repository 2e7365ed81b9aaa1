import { keyOf, keyText, productText } from '../../../catalog-schema/keys.ts'
import type { Tx } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { readReferences, toItem as toAddOn } from '../add-ons/items.ts'
import { productsNamedBy } from '../add-ons/store.ts'
import { toItem as toPlanSet } from '../plan-sets/items.ts'
import { breachesOf } from '../records/judging.ts'
import { type CatalogAround, loadAround, type SuiteStanding } from './surroundings.ts'

/** The plan sets and add-ons of a suite, by key. */
export async function listSuiteUsers(tx: Tx, tenantId: string, suite: SuiteStanding): Promise<string[]> {
  const { sets, addOns } = await listRows(tx, tenantId, suite.id)
  return [
    ...sets.map(({ name }) => keyOf('planSet', { suiteCode: suite.code, name }, keyText)),
    ...addOns.map((addOn) => keyOf('addOn', addOn)),
  ]
}

/** The plan sets and add-ons of a suite, by key, that speak of products it would no longer have. */
export async function listUsersOfLeavers(
  tx: Tx,
  tenantId: string,
  suite: SuiteStanding,
  leaving: readonly string[],
): Promise<string[]> {
  const { sets, addOns } = await listRows(tx, tenantId, suite.id)
  const named = await productsNamedBy(tx, tenantId, addOns.flatMap(readReferences))
  const around = await loadAround(tx, tenantId, [...leaving, ...named], [suite])
  const left = new Set(leaving.map((id) => productText(around.names.product(id))))
  const { suiteText } = around.model
  return [
    ...sets
      .map((row) => toPlanSet(row, around.names))
      .filter((item) => isBroken('planSet', item, around))
      .map((item) => keyOf('planSet', item, suiteText)),
    ...addOns
      .map((row) => toAddOn(row, around.names))
      .filter(
        (item) => item.features.some((feature) => left.has(productText(feature))) || isBroken('addOn', item, around),
      )
      .map((item) => keyOf('addOn', item)),
  ]
}

const isBroken = (kind: 'planSet' | 'addOn', item: object, { model }: CatalogAround) =>
  breachesOf(kind, item, model).length > 0

async function listRows(tx: Tx, tenantId: string, suiteId: string) {
  const [sets, addOns] = [
    await tx
      .selectFrom('plan_sets')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('suite_id', '=', suiteId)
      .where('is_deleted', '=', no)
      .execute(),
    await tx
      .selectFrom('add_ons')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('suite_id', '=', suiteId)
      .where('is_deleted', '=', no)
      .execute(),
  ]
  return { sets, addOns }
}
