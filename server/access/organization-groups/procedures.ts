import { sameValue } from '../../../catalog-schema/form.ts'
import type { WriteContext } from '../../kit/context.ts'
import { invalid, recordNotFound } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { refuseInUse } from '../../kit/records/in-use.ts'
import { lockForChange, lockForDeletion } from '../../kit/records/locking.ts'
import { answerPage, type ToWire } from '../../kit/records/paging.ts'
import { stampOf } from '../../kit/records/stamp.ts'
import { getRecord, type ListSource, softDelete } from '../../kit/records/store.ts'
import { refuseTaken } from '../../kit/records/taken.ts'
import { lockUserStanding } from '../users/standing.ts'
import { groupContracts, groupKind, memberContracts, mostMembers } from './contract.ts'
import { membersOf, replaceMembers, resolveMembers } from './members.ts'
import type { OrganizationGroupTables } from './tables.ts'
import { offersOfGroup, usersOfGroup } from './users.ts'

type Row = OrganizationGroupTables['organization_groups']
type Group = ReturnType<typeof groupKind.toItem>

const source: ListSource<Row> = { table: 'organization_groups', fields: groupKind.filterFields }

const toWire: ToWire<Row, ReturnType<typeof groupKind.toWire>> = async (read, tenantId, rows) => {
  const ids = rows.map(({ id }) => id)
  const members = await membersOf(read, tenantId, ids)
  return rows.map((row) => groupKind.toWire(row, { members: members.get(row.id) ?? [] }))
}

const list = query(groupContracts.list, (context, input) => answerPage(context, input, source, toWire))

const get = query(groupContracts.get, async ({ read, tenant }, { id }) => {
  const row = await getRecord(read, 'organization_groups', tenant.id, id, 'organization group')
  return (await toWire(read, tenant.id, [row]))[0]!
})

const create = mutation(groupContracts.create, (context, body) => write(context, groupKind.read(body)))

const update = mutation(groupContracts.update, async (context, { id, ...body }) => edit(context, id, body))
const replace = mutation(groupContracts.replace, async (context, { id, ...body }) => edit(context, id, body))

async function edit(context: WriteContext, id: string, body: { name?: string | null }) {
  // An import, or a request, that has an offer ask for the group is waited for: what a catalog calls it stays its name.
  const before = await load(context, id, body.name == null ? lockForChange : lockForDeletion)
  const given = groupKind.read(body, before.item)
  if (given.name !== before.item.name) {
    const offers = await offersOfGroup(context.tx, context.tenant.id, before.row.id)
    refuseInUse(`The name of the organization group ${JSON.stringify(before.row.name)}`, offers)
  }
  return write(context, given, before)
}

/** The group that a request changes, with its members. */
async function load(context: WriteContext, id: string, lock = lockForChange<'organization_groups'>) {
  const row = await lock(context, 'organization_groups', id, 'organization group')
  const members = (await membersOf(context.tx, context.tenant.id, [row.id])).get(row.id) ?? []
  return { row, item: groupKind.toItem(row, { members }) }
}

async function write(context: WriteContext, given: Group, before?: { row: Row; item: Group }) {
  const { tx, tenant } = context
  if (before?.item.name !== given.name)
    await refuseTaken(context, 'organization_groups', { name: given.name }, 'an organization group of this name')
  const had = before?.item.members ?? []
  const members = sameValue(given.members, had) ? had : await resolveMembers(tx, tenant.id, given.members)
  const row = await groupKind.write(context, { ...given, members }, before)
  await replaceMembers(tx, row.id, stampOf(context), had, members)
  return groupKind.toWire(row, { members })
}

const remove = mutation(groupContracts.delete, async (context, { id }) => {
  const { tx, tenant } = context
  const { row, item } = await load(context, id, lockForDeletion)
  refuseInUse(`The organization group ${JSON.stringify(row.name)}`, await usersOfGroup(tx, tenant.id, row.id))
  await replaceMembers(tx, row.id, stampOf(context), item.members, [])
  await softDelete(tx, 'organization_groups', stampOf(context), [row.id])
  return undefined
})

const addMember = mutation(memberContracts.add, async (context, { id, userId }) => {
  const before = await load(context, id)
  const user = await lockUserStanding(context.tx, context.tenant.id, userId)
  if (!user) throw recordNotFound('user')
  const { members } = before.item
  if (members.includes(user.id)) return groupKind.toWire(before.row, { members })
  if (members.length >= mostMembers)
    throw invalid([{ pointer: 'userId', message: `the group has ${mostMembers} members already, the most it can` }])
  return write(context, { ...before.item, members: [...members, user.id] }, before)
})

const removeMember = mutation(memberContracts.remove, async (context, { id, userId }) => {
  const before = await load(context, id)
  const members = before.item.members.filter((member) => member !== userId.toLowerCase())
  if (members.length === before.item.members.length) throw recordNotFound('member of this group')
  await write(context, { ...before.item, members }, before)
  return undefined
})

/** The organization groups of a tenant, and their members. */
export const organizationGroupProcedures = {
  list,
  get,
  create,
  update,
  replace,
  delete: remove,
  members: { add: addMember, remove: removeMember },
}
