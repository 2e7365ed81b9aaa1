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

/**
 * Writes on the tries that these devices have had what became of them: the first entitlement, sold while its offer could
 * be tried, that the device was activated on.
 */
export async function convertTries(cause: Cause, activated: readonly Activated[]): Promise<void> {
  const { tx, tenantId } = cause
  const soldTo = new Map<string, string>()
  const devices = activated.filter(isSoldTryable).map(({ session, entitlement }) => {
    const device = [holderOfTries(entitlement.source_offer_id!), session.fingerprint] as const
    const key = device.join(' ')
    if (!soldTo.has(key)) soldTo.set(key, entitlement.id)
    return device
  })
  const tries = await trialsOfDevices(tx, tenantId, devices)
  const became = new Map(
    tries.map(({ entitlement_id, holder, fingerprint }) => [entitlement_id, soldTo.get(`${holder} ${fingerprint}`)!]),
  )
  const open = (await findEntitlements(tx, tenantId, [...became.keys()])).filter(isOpen)
  for (const id of open.map((row) => row.id).sort()) {
    const row = await lockEntitlement(tx, tenantId, id)
    if (isOpen(row)) await saveEntitlement(cause, { ...row, converted_to_entitlement_id: became.get(id)! }, row)
  }
}

const isSoldTryable = ({ entitlement }: Activated) =>
  entitlement.is_anonymous_try === 0 &&
  entitlement.source_offer_id !== null &&
  entitlement.anonymous_try_policy !== null

const isOpen = (row: EntitlementRow) => row.converted_to_entitlement_id === null
