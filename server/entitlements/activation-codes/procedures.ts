import { lockUserStanding } from '../../access/users/standing.ts'
import { causeOf } from '../../kit/cause.ts'
import type { WriteContext } from '../../kit/context.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { answerPage } from '../../kit/records/paging.ts'
import { stampOf } from '../../kit/records/stamp.ts'
import { getEntitlement, lockEntitlement } from '../entitlements/loading.ts'
import { heldSeats } from '../seats/held.ts'
import { codeContracts, operationalCodeContracts } from './contract.ts'
import { issueCode } from './issuing.ts'
import { codeTextFieldOf } from './lookup.ts'
import type { WorkflowParameters } from './parameters.ts'
import { codeSource, deleteCode, getCode, revokeCode } from './store.ts'
import { toWire } from './wire.ts'

const list = query(codeContracts.list, async (context, { id, ...input }) => {
  const { read, tenant, sealer, now } = context
  const entitlement = await getEntitlement(read, tenant.id, id)
  const isHeld = await heldSeats(read, tenant.id, now)
  return answerPage(
    context,
    input,
    codeSource(entitlement.id, codeTextFieldOf(context), now, isHeld),
    async (_read, _tenantId, rows) => rows.map((row) => toWire(sealer, row, now)),
  )
})

const get = query(codeContracts.get, async ({ read, tenant, sealer, now }, { id, codeId }) =>
  toWire(sealer, await getCode(read, tenant.id, { entitlementId: id, id: codeId }, now), now),
)

async function issue(context: WriteContext, { id, ...parameters }: { id: string } & WorkflowParameters) {
  const { tx, tenant } = context
  // The user first, as an erasure does.
  if (parameters.requiredUserId) await lockUserStanding(tx, tenant.id, parameters.requiredUserId)
  const entitlement = await lockEntitlement(tx, tenant.id, id)
  const { record } = await issueCode({ ...causeOf(context), sealer: context.sealer }, entitlement, parameters)
  return record
}

const revoke = mutation(codeContracts.revoke, async (context, { id, codeId }) => {
  const { tx, sealer, now } = context
  const row = await load(context, id, codeId)
  return toWire(sealer, row.revoked_at === null ? await revokeCode(tx, row, stampOf(context)) : row, now)
})

async function remove(context: WriteContext, { id, codeId }: { id: string; codeId: string }) {
  await deleteCode(context.tx, await load(context, id, codeId), stampOf(context))
  return undefined
}

/** The code that a request means to change, at the revision that it knows. */
async function load(context: WriteContext, id: string, codeId: string) {
  const { tx, tenant, now } = context
  const entitlement = await lockEntitlement(tx, tenant.id, id)
  const row = await getCode(tx, tenant.id, { entitlementId: entitlement.id, id: codeId }, now)
  requireRevision(context, row.revision_number)
  return row
}

/** The activation codes of an entitlement, for the back office and for the vendor's backend. */
export const activationCodes = {
  list,
  get,
  revoke,
  issue: mutation(codeContracts.issue, issue),
  delete: mutation(codeContracts.delete, remove),
}
export const operationalActivationCodes = {
  issue: mutation(operationalCodeContracts.issue, issue),
  delete: mutation(operationalCodeContracts.delete, remove),
}
