import { type EntitlementRow, findEntitlements, lockEntitlement } from '../../entitlements/entitlements/loading.ts'
import { saveEntitlement } from '../../entitlements/entitlements/saving.ts'
import type { Cause } from '../../kit/outbox.ts'
import type { SessionRow } from '../sessions/licensed.ts'
import { trialsOfDevices } from '../sessions/store.ts'
import { holderOfTries } from './holder.ts'

/** A device that was activated, and the entitlement that it was activated on. */
interface Activated {
  session: SessionRow
  entitlement: EntitlementRow
}

/** Writes on the tries that these devices have had what became of them: the first entitlement of the same offer that the device was activated on. */
export async function convertTries(cause: Cause, activated: readonly Activated[]): Promise<void> {
  for (const { session, entitlement } of activated.filter(isOfTriedOffer)) {
    const device = [holderOfTries(entitlement.source_offer_id!), session.fingerprint] as const
    const tries = await trialsOfDevices(cause.tx, cause.tenantId, [device])
    const ids = [...new Set(tries.map((one) => one.entitlement_id))].sort()
    for (const { id } of (await findEntitlements(cause.tx, cause.tenantId, ids)).filter(isOpen)) {
      const row = await lockEntitlement(cause.tx, cause.tenantId, id)
      if (isOpen(row)) await saveEntitlement(cause, { ...row, converted_to_entitlement_id: entitlement.id }, row)
    }
  }
}

const isOfTriedOffer = ({ entitlement }: Activated) =>
  entitlement.is_anonymous_try === 0 &&
  entitlement.source_offer_id !== null &&
  entitlement.anonymous_try_policy !== null

const isOpen = (row: EntitlementRow) => row.converted_to_entitlement_id === null
