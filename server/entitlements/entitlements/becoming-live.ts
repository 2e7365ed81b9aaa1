import { liveStatuses } from '../../../catalog-schema/enumerations.ts'
import type { Cause } from '../../kit/outbox.ts'
import { Problem } from '../../kit/problem.ts'
import { keepRecord } from '../../kit/records/locking.ts'
import { licensedProductIds } from './licensed-products.ts'
import type { EntitlementRow } from './loading.ts'

/**
 * Keeps the customer and the products of an entitlement that becomes live (Active or Suspended) until the transaction ends:
 * they may have been deleted before it was. Throws catalog.invalid_transition for one that was.
 */
export async function keepWhatItNeeds({ tx, tenantId }: Cause, row: EntitlementRow): Promise<void> {
  if (row.customer_id !== null && !(await keepRecord(tx, 'customers', tenantId, row.customer_id)))
    throw gone('Its customer', 'give it another by PATCH (customerId)')
  for (const productId of licensedProductIds(row).sort())
    if (!(await keepRecord(tx, 'products', tenantId, productId)))
      throw gone(`Its product ${productId}`, 'take it off by PATCH (products)')
}

/** Whether an entitlement that somebody holds starts to keep what it refers to from being deleted. */
export const becomesLive = (before: EntitlementRow, row: EntitlementRow) =>
  before.is_offer === 0 && row.is_offer === 0 && !isLive(before) && isLive(row)

const isLive = ({ status }: EntitlementRow) => liveStatuses.includes(status)

const gone = (what: string, mending: string) =>
  new Problem('catalog.invalid_transition', `${what} was deleted: ${mending} first.`)
