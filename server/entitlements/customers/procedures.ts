import type { WriteContext } from '../../kit/context.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { refuseInUse } from '../../kit/records/in-use.ts'
import { lockForChange, lockForDeletion } from '../../kit/records/locking.ts'
import { answerPage } from '../../kit/records/paging.ts'
import { stampOf } from '../../kit/records/stamp.ts'
import { getRecord, type ListSource, softDelete } from '../../kit/records/store.ts'
import { customerContracts, customerKind } from './contract.ts'
import type { CustomerTables } from './tables.ts'
import { usersOfCustomer } from './users.ts'

type Row = CustomerTables['customers']

const source: ListSource<Row> = { table: 'customers', fields: customerKind.filterFields }
const toWire = (row: Row) => customerKind.toWire(row, {})

const list = query(customerContracts.list, (context, input) =>
  answerPage(context, input, source, async (_read, _tenantId, rows) => rows.map(toWire)),
)

const get = query(customerContracts.get, async ({ read, tenant }, { id }) =>
  toWire(await getRecord(read, 'customers', tenant.id, id, 'customer')),
)

const create = mutation(customerContracts.create, async (context, body) =>
  toWire(await customerKind.write(context, customerKind.read(body))),
)

const update = mutation(customerContracts.update, (context, { id, ...body }) => edit(context, id, body))
const replace = mutation(customerContracts.replace, (context, { id, ...body }) => edit(context, id, body))

async function edit(context: WriteContext, id: string, body: object) {
  const row = await lockForChange(context, 'customers', id, 'customer')
  const item = customerKind.toItem(row, {})
  return toWire(await customerKind.write(context, customerKind.read(body, item), { row, item }))
}

const remove = mutation(customerContracts.delete, async (context, { id }) => {
  const row = await lockForDeletion(context, 'customers', id, 'customer')
  const users = await usersOfCustomer(context.tx, context.tenant.id, row.id)
  refuseInUse(`The customer ${JSON.stringify(row.name)}`, users)
  await softDelete(context.tx, 'customers', stampOf(context), [row.id])
  return undefined
})

/** Those that entitlements are sold to. */
export const customerProcedures = { list, get, create, update, replace, delete: remove }
