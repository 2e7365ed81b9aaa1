import type { Offer, OfferFeature } from '../../../catalog-schema/offer.ts'
import { findGroups } from '../../access/organization-groups/names.ts'
import { orderedByProduct } from '../../catalog/records/member-order.ts'
import type { CatalogNames } from '../../catalog/records/names.ts'
import type { Readable } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { no, yes } from '../../kit/flags.ts'
import { fromColumns, toColumns } from '../../kit/records/columns.ts'
import { rowHead, type Stamp } from '../../kit/records/stamp.ts'
import { activationPolicyOf } from '../policies/effective.ts'
import { offerStorage } from './fields.ts'
import type { EntitlementRow } from './tables.ts'

/** A product of an offer as it is stored: by id, with the values that the offer sets itself. */
export interface StoredOfferProduct {
  productId: string
  features: OfferFeature[]
}

/** The products of a row. */
export const readProducts = (row: Pick<EntitlementRow, 'products'>) =>
  row.products === '[]' ? [] : (JSON.parse(row.products) as StoredOfferProduct[])

/** An offer's row in a snapshot's shape. */
export function toItem(row: EntitlementRow, names: CatalogNames, tags: readonly string[]): Offer {
  const products = readProducts(row).map(({ productId, features }) => ({ ...names.product(productId), features }))
  const offer = fromColumns(offerStorage, row, {
    tags,
    products: orderedByProduct(products),
    assignedPlan: row.assigned_plan_set_id === null ? null : planOf(row.assigned_plan_set_id, row, names),
  }) as Offer
  return withGroup(offer, names.group)
}

/** The offer with the organization group that it asks for told otherwise: by id in a row, by name in a catalog. */
export function withGroup(offer: Offer, otherwise: (told: string) => string): Offer {
  const told = offer.activationPolicy?.requireOrganizationGroupMember
  if (!told) return offer
  const activationPolicy = { ...offer.activationPolicy, requireOrganizationGroupMember: otherwise(told) }
  return { ...offer, activationPolicy }
}

function planOf(planSetId: string, { assigned_plan_name }: EntitlementRow, names: CatalogNames) {
  const { suiteCode, name } = names.planSet(planSetId)
  return { suiteCode, planSetName: name, planName: assigned_plan_name! }
}

/** The row that a canonical offer is written as, in place of the one before it; its tags are assigned beside it. */
export const toRow = (item: Offer, id: string, names: CatalogNames, stamp: Stamp, before?: EntitlementRow) =>
  ({
    ...rowHead(id, before, stamp),
    ...toColumns(offerStorage, withGroup(item, names.groupId)),
    is_offer: 1,
    products: JSON.stringify(
      item.products.map(
        (product): StoredOfferProduct => ({ productId: names.productId(product), features: product.features }),
      ),
    ),
    assigned_plan_set_id:
      item.assignedPlan &&
      names.planSetId({ suiteCode: item.assignedPlan.suiteCode, name: item.assignedPlan.planSetName }),
    assigned_plan_name: item.assignedPlan?.planName ?? null,
  }) as EntitlementRow

/** Makes the organization groups known, by name, that offers ask for. */
export async function introduceOthers(
  readable: Readable,
  tenantId: string,
  rows: readonly EntitlementRow[],
  names: CatalogNames,
): Promise<void> {
  const asked = rows.flatMap((row) => activationPolicyOf(row).requireOrganizationGroupMember?.toLowerCase() ?? [])
  for (const { id, name } of await findGroups(readable, tenantId, 'id', asked)) names.addGroup(id, name)
}

/** The tenant's offers. */
export const readRows = (readable: Readable, tenantId: string) => findOffers(readable, { tenantId })

const findOffers = compileOnce((readable, { tenantId }: { tenantId: string }) =>
  readable
    .selectFrom('entitlements')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('is_offer', '=', yes)
    .where('is_deleted', '=', no),
)
