import type { Tx } from '../../database/database.ts'
import { keepRecord } from '../../kit/records/locking.ts'

/** Whether there is such a customer, and it is the tenant's; it stays until the transaction ends. */
export const keepCustomer = (tx: Tx, tenantId: string, id: string): Promise<boolean> =>
  keepRecord(tx, 'customers', tenantId, id)
