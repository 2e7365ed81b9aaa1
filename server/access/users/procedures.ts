import { mutation, query } from '../../kit/procedure.ts'
import { lockForChange, lockForDeletion } from '../../kit/records/locking.ts'
import { answerPage } from '../../kit/records/paging.ts'
import { stampOf } from '../../kit/records/stamp.ts'
import { getRecord, type ListSource, softDelete } from '../../kit/records/store.ts'
import { leaveGroups } from '../organization-groups/membership.ts'
import { userContracts, userKind } from './contract.ts'
import { type UserRow, writeUser } from './writing.ts'

const source: ListSource<UserRow> = { table: 'users', fields: userKind.filterFields }
const toWire = (row: UserRow) => userKind.toWire(row, {})

const list = query(userContracts.list, (context, input) =>
  answerPage(context, input, source, async (_read, _tenantId, rows) => rows.map(toWire)),
)

const get = query(userContracts.get, async ({ read, tenant }, { id }) =>
  toWire(await getRecord(read, 'users', tenant.id, id, 'user')),
)

const create = mutation(userContracts.create, async (context, body) => toWire(await writeUser(context, body)))

const update = mutation(userContracts.update, async (context, { id, ...body }) =>
  toWire(await writeUser(context, body, await lockForChange(context, 'users', id, 'user'))),
)

const replace = mutation(userContracts.replace, async (context, { id, ...body }) =>
  toWire(await writeUser(context, body, await lockForChange(context, 'users', id, 'user'))),
)

const remove = mutation(userContracts.delete, async (context, { id }) => {
  const row = await lockForDeletion(context, 'users', id, 'user')
  await leaveGroups(context.tx, context.tenant.id, row.id)
  await softDelete(context.tx, 'users', stampOf(context), [row.id])
  return undefined
})

/** The end users of a tenant. */
export const userProcedures = { list, get, create, update, replace, delete: remove }
