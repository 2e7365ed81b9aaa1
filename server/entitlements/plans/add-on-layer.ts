import type { AddOnStanding } from '../../catalog/add-ons/standing.ts'
import type { Readable } from '../../database/database.ts'
import { invalid } from '../../kit/problem.ts'
import { licensedProductIds } from '../entitlements/licensed-products.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import type { AppliedAddOn } from '../entitlements/stored.ts'
import { refuseRetired } from './retired.ts'
import { copySpoken } from './spoken-features.ts'

/** An add-on as it is applied to an entitlement now; throws the validation problem for one that is no longer sold, or is about none of its products. */
export async function addOnLayer(read: Readable, row: EntitlementRow, addOn: AddOnStanding): Promise<AppliedAddOn> {
  const { id, code, name, status, productIds, featureValues } = addOn
  const pointer = '/addOnId'
  refuseRetired(`add-on "${code}"`, status, pointer)
  const held = licensedProductIds(row)
  if (!productIds.some((productId) => held.includes(productId)))
    throw invalid([{ pointer, message: `add-on "${code}" is about none of the entitlement's products` }])
  // Of all its products: what it brings of one that is attached later is there as if it had been attached before.
  const spoken = productIds.flatMap((productId) => featureValues.map(({ featureCode }) => ({ productId, featureCode })))
  const brought = await copySpoken(read, row.tenant_id, spoken)
  return { addOnId: id, code, name, productIds, featureValues, brought }
}
