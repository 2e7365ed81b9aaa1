import type { EntitlementRow } from '../entitlements/loading.ts'
import { type Layers, readLayers, readOwnFeatures, type StoredFeature } from '../entitlements/stored.ts'
import { broughtIn, identityOf } from './layering.ts'

/**
 * The entitlement with these layers over its own features in place of those it has. Of what they bring, its own features
 * are left out, and what the layers before brought too keeps its id.
 */
export function withLayers(row: EntitlementRow, { plan, addOns }: Layers): EntitlementRow {
  const own = new Set(readOwnFeatures(row).map(identityOf))
  const idOf = new Map(broughtIn(readLayers(row)).map((feature) => [identityOf(feature), feature.id]))
  const trimmed = <L extends { brought: StoredFeature[] }>(layer: L): L => ({
    ...layer,
    brought: layer.brought
      .filter((feature) => !own.has(identityOf(feature)))
      .map((feature) => ({ ...feature, id: idOf.get(identityOf(feature)) ?? feature.id })),
  })
  const layers: Layers = { plan: plan && trimmed(plan), addOns: addOns.map(trimmed) }
  return { ...row, layers: JSON.stringify(layers) }
}
