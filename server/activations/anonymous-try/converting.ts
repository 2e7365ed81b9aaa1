import { type EntitlementRow, findEntitlements, lockEntitlement } from '../../entitlements/entitlements/loading.ts'
import { saveEntitlement } from '../../entitlements/entitlements/saving.ts'
import type { Cause } from '../../kit/outbox.ts'
import type { SessionRow } from '../sessions/licensed.ts'
import { trialsOfDevices } from '../sessions/store.ts'
import { holderOfTries } from './holder.ts'

/** A device that was activated, the entitlement that it was activated on, and by what request. */
interface Activated {
  session: SessionRow
  entitlement: EntitlementRow
  cause: Cause
}

/**
 * Writes on the tries that these devices have had what became of them: the first entitlement, sold while its offer could
 * be tried, that the device was activated on. Of one tenant, in one transaction, and at least one.
 */
export async function convertTries(activated: readonly Activated[]): Promise<void> {
  const { tx, tenantId } = activated[0]!.cause
  const soldTo = new Map<string, Activated>()
  const devices = activated.filter(isSoldTryable).map((one) => {
    const device = [holderOfTries(one.entitlement.source_offer_id!), one.session.fingerprint] as const
    const key = device.join(' ')
    if (!soldTo.has(key)) soldTo.set(key, one)
    return device
  })
  const tries = await trialsOfDevices(tx, tenantId, devices)
  const became = new Map(
    tries.map(({ entitlement_id, holder, fingerprint }) => [entitlement_id, soldTo.get(`${holder} ${fingerprint}`)!]),
  )
  const open = (await findEntitlements(tx, tenantId, [...became.keys()])).filter(isOpen)
  for (const id of open.map((row) => row.id).sort()) {
    const row = await lockEntitlement(tx, tenantId, id)
    const { entitlement, cause } = became.get(id)!
    if (isOpen(row)) await saveEntitlement(cause, { ...row, converted_to_entitlement_id: entitlement.id }, row)
  }
}

const isSoldTryable = ({ entitlement }: Activated) =>
  entitlement.is_anonymous_try === 0 &&
  entitlement.source_offer_id !== null &&
  entitlement.anonymous_try_policy !== null

const isOpen = (row: EntitlementRow) => row.converted_to_entitlement_id === null
