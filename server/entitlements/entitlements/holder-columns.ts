import type { Tx } from '../../database/database.ts'
import { invalid } from '../../kit/problem.ts'
import { toColumns } from '../../kit/records/columns.ts'
import { keepRecord } from '../../kit/records/locking.ts'
import { holderStorage } from './fields.ts'
import type { EntitlementRow } from './loading.ts'

/** The columns of what a request gives of the holder of an entitlement, or an offer; throws the validation problem for a customer who is not there. */
export async function holderColumns(
  tx: Tx,
  tenantId: string,
  given: Record<string, unknown>,
): Promise<Partial<EntitlementRow>> {
  const customerId = typeof given.customerId === 'string' ? given.customerId.toLowerCase() : null
  if (customerId !== null && !(await keepRecord(tx, 'customers', tenantId, customerId)))
    throw invalid([{ pointer: '/customerId', message: 'there is no customer with that id' }])
  const fields = holderStorage.filter(({ name }) => name in given)
  return toColumns(fields, { ...given, customerId }) as Partial<EntitlementRow>
}
