import { listMetricsOf } from '../../catalog/records/metrics-of.ts'
import type { Readable } from '../../database/database.ts'
import type { Cause } from '../../kit/outbox.ts'
import { settledCourses } from '../../metering/consumption/standing.ts'
import { licensedProductIds } from '../entitlements/licensed-products.ts'
import { findEntitlements, lockEntitlement } from '../entitlements/loading.ts'
import { openMissingMeters } from './meter-keeping.ts'

/**
 * How an entitlement stands to metrics: it has meters of all, some are missing that its products have got since they were
 * attached, or some are missing and none of those is a metric of its products.
 */
export async function standingTo(
  read: Readable,
  { tenantId, now }: Pick<Cause, 'tenantId' | 'now'>,
  entitlementId: string,
  metrics: readonly string[],
): Promise<'open' | 'late' | 'unknown'> {
  if (metrics.length === 0) return 'open'
  const course = (await settledCourses(read, tenantId, [entitlementId], now)).get(entitlementId)!
  const missing = new Set(metrics.filter((metric) => course.named(metric) === undefined))
  if (missing.size === 0) return 'open'
  const [row] = await findEntitlements(read, tenantId, [entitlementId])
  const assets = row ? await listMetricsOf(read, tenantId, licensedProductIds(row)) : []
  return assets.some(({ metric_name }) => missing.has(metric_name)) ? 'late' : 'unknown'
}

/** Gives the entitlement its meters of those metrics that are late; what it has counted stays. */
export async function openLateMeters(cause: Cause, entitlementId: string, metrics: readonly string[]): Promise<void> {
  if ((await standingTo(cause.tx, cause, entitlementId, metrics)) === 'late')
    await openMissingMeters(cause, await lockEntitlement(cause.tx, cause.tenantId, entitlementId))
}
