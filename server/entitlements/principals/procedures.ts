import { lockUserStanding } from '../../access/users/standing.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { toInstant } from '../../kit/instants.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { stampOf } from '../../kit/records/stamp.ts'
import { getEntitlement, lockEntitlement } from '../entitlements/loading.ts'
import { principalContracts } from './contract.ts'
import { type AssignmentRow, assign, getAssignment, listAssignments, unassign } from './store.ts'

const list = query(principalContracts.list, async ({ read, tenant }, { id, ...query }) => {
  const entitlement = await getEntitlement(read, tenant.id, id)
  const page = await listAssignments(read, tenant.id, entitlement.id, query)
  return { ...page, items: page.items.map(toWire) }
})

const add = mutation(principalContracts.assign, async (context, { id, principalId }) => {
  const { tx, tenant } = context
  // The user first, as an erasure does.
  const user = await lockUserStanding(tx, tenant.id, principalId)
  const entitlement = await lockEntitlement(tx, tenant.id, id)
  if (!user) throw recordNotFound('user')
  await assign(tx, stampOf(context), entitlement.id, user.id)
  return toWire(await getAssignment(tx, tenant.id, entitlement.id, user.id))
})

const remove = mutation(principalContracts.remove, async (context, { id, principalId }) => {
  const { tx, tenant } = context
  const entitlement = await lockEntitlement(tx, tenant.id, id)
  requireRevision(context, entitlement.revision_number)
  if (!(await unassign(tx, tenant.id, entitlement.id, principalId.toLowerCase())))
    throw recordNotFound('principal of this entitlement')
  return undefined
})

const toWire = ({ entitlement_id, user_id, assigned_at }: AssignmentRow) => ({
  entitlementId: entitlement_id,
  userId: user_id,
  assignedAt: toInstant(assigned_at),
})

/** The users who are assigned to an entitlement. */
export const principals = { list, assign: add, remove }
