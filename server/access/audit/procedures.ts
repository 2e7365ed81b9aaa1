import { query } from '../../kit/procedure.ts'
import { auditContracts } from './contract.ts'
import { getEntry, listEntries } from './store.ts'
import { toWire } from './wire.ts'

/** What was done, for those who look it up. */
export const auditProcedures = {
  list: query(auditContracts.list, async ({ read, tenant }, input) => {
    const page = await listEntries(read, tenant.id, input)
    return { ...page, items: page.items.map(toWire) }
  }),

  get: query(auditContracts.get, async ({ read, tenant }, { id }) => toWire(await getEntry(read, tenant.id, id))),
}
