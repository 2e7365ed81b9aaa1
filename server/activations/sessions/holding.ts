import type { CodeRow } from '../../entitlements/activation-codes/lookup.ts'
import { ownLimitOf } from '../../entitlements/activation-codes/status.ts'
import { Problem } from '../../kit/problem.ts'
import type { Granted } from './granted.ts'
import type { Scene } from './scene.ts'

/** Takes a seat of the entitlement, and one of the code's own; or says which of the two has none left, and takes none. */
export function takeSeat(scene: Scene, { row, license }: Granted, code: CodeRow | undefined): Problem | undefined {
  if (code && !scene.codeSeats.hasRoom(code.id, ownLimitOf(code)))
    return new Problem('license.code_used_up', 'As many devices as this code allows hold a seat by it.')
  if (!scene.entitlementSeats.hasRoom(row.id, license.maxDeviceActivations))
    return new Problem('license.seats_exhausted', noSeatLeft)
  scene.entitlementSeats.move(row.id, 1)
  if (code) scene.codeSeats.move(code.id, 1)
  return undefined
}

const noSeatLeft =
  'Every seat of this entitlement is taken: a device must be released, or the entitlement given more seats.'

/** Gives back the seat that a session held. */
export function giveSeatBack(scene: Scene, session: { entitlement_id: string; activation_code_id: string | null }) {
  scene.entitlementSeats.move(session.entitlement_id, -1)
  if (session.activation_code_id !== null) scene.codeSeats.move(session.activation_code_id, -1)
}
