import { keepCatalog } from '../../catalog/records/revision.ts'
import { forgetTags } from '../../catalog/records/tagging.ts'
import { causeOf } from '../../kit/cause.ts'
import type { WriteContext } from '../../kit/context.ts'
import { no } from '../../kit/flags.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { softDelete } from '../../kit/records/store.ts'
import { fitMeters } from '../../metering/meters/fitting.ts'
import { rejectOpenRequest } from '../plan-changes/reviewing.ts'
import { lockEntitlement } from './loading.ts'

/** Makes an entitlement one of the past: what was activated by it and its codes find it no more, its codes' texts are free again, its meters count nothing, what is asked for it is rejected. */
export async function deleteEntitlement(context: WriteContext, id: string): Promise<void> {
  const cause = causeOf(context)
  const { tx, tenantId } = cause
  // Its tags are not merged meanwhile.
  await keepCatalog(tx, tenantId)
  const row = await lockEntitlement(tx, tenantId, id)
  requireRevision(context, row.revision_number)
  await rejectOpenRequest(cause, row)
  await softDelete(tx, 'entitlements', cause, [row.id])
  await forgetTags(tx, tenantId, [row.id])
  const codes = tx.selectFrom('activation_codes').select('id').where('tenant_id', '=', tenantId)
  const held = await codes.where('entitlement_id', '=', row.id).where('is_deleted', '=', no).execute()
  await softDelete(
    tx,
    'activation_codes',
    cause,
    held.map((code) => code.id),
  )
  await fitMeters(cause, row.id, [], (own) => own)
  for (const table of ['entitlement_products', 'entitlement_add_ons'] as const)
    await tx.deleteFrom(table).where('tenant_id', '=', tenantId).where('entitlement_id', '=', row.id).execute()
}
