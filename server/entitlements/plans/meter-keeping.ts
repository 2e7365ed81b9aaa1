import type { Cause } from '../../kit/outbox.ts'
import { fitMeters } from '../../metering/meters/fitting.ts'
import { licensedProductIds } from '../entitlements/licensed-products.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { readLayers, readOwnFeatures } from '../entitlements/stored.ts'
import { definitions, metricsNamed } from './meter-definitions.ts'

/**
 * Keeps an entitlement's meters in step with its row, which is written already: those of its products' assets and of its
 * Metered features are open and count as its plan and add-ons say, those of products it no longer has are closed. What an
 * open one has counted stays.
 */
export const keepMeters = (cause: Cause, row: EntitlementRow): Promise<void> => fitted(cause, row, 'all')

/** Opens the meters that an entitlement has not of its products' assets and of its features; the others stay as they are. */
export const openMissingMeters = (cause: Cause, row: EntitlementRow): Promise<void> => fitted(cause, row, 'opens only')

async function fitted(cause: Cause, row: EntitlementRow, doing: 'all' | 'opens only'): Promise<void> {
  const productIds = licensedProductIds(row)
  const spoken = [readOwnFeatures(row), readLayers(row), productIds] as const
  await fitMeters(cause, row.id, productIds, definitions(...spoken), metricsNamed(...spoken), doing)
}
