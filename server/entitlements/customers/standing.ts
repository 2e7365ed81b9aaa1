import type { Readable } from '../../database/database.ts'
import { findRecord } from '../../kit/records/store.ts'

/** Whether there is such a customer, and it is the tenant's. */
export const customerExists = async (read: Readable, tenantId: string, id: string): Promise<boolean> =>
  (await findRecord(read, 'customers', tenantId, id)) !== undefined
