import type { Readable } from '../../database/database.ts'
import { Problem } from '../../kit/problem.ts'
import type { Course } from './course.ts'
import type { Meter, OpenBalance } from './meter.ts'
import { balanceNamed } from './reserving.ts'
import { settle } from './settling.ts'
import { readCourses } from './store.ts'

/** The balance of a metric on an entitlement as it stands at `now`; throws usage.metric_not_found when the metric is none. */
export async function getBalance(
  read: Readable,
  tenantId: string,
  entitlementId: string,
  metric: string,
  now: number,
): Promise<OpenBalance> {
  const balance = balanceNamed(await settledCourse(read, tenantId, entitlementId, now), metric)
  if (!balance) throw noSuchBalance()
  return balance
}

/** The meter of a metric; throws usage.metric_not_found when there is none. */
export function getMeter(course: Course, metric: string): Meter {
  const meter = course.named(metric)
  if (!meter) throw metricNotFound(metric)
  return meter
}

/** The meters of these entitlements as they stand at `now`; nothing is written. */
export async function settledCourses(
  read: Readable,
  tenantId: string,
  entitlementIds: readonly string[],
  now: number,
): Promise<Map<string, Course>> {
  const courses = await readCourses(read, tenantId, entitlementIds)
  for (const course of courses.values()) settle(course, now)
  return courses
}

const settledCourse = async (read: Readable, tenantId: string, entitlementId: string, now: number) =>
  (await settledCourses(read, tenantId, [entitlementId], now)).get(entitlementId)!

/** The entitlement has no balance of that metric. */
export const noSuchBalance = () =>
  new Problem(
    'usage.metric_not_found',
    'The entitlement has no balance of that metric; names are matched case and all.',
  )

/** The entitlement has no meter of that name. */
export const metricNotFound = (metric: string) =>
  new Problem('usage.metric_not_found', `The entitlement has no metric "${metric}"; names are matched exactly.`)
