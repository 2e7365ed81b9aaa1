import type { Database } from '../../database/database.ts'
import type { Cause } from '../../kit/outbox.ts'
import { settle } from './settling.ts'
import { isOverdue, loadCourses, writeCourses } from './store.ts'

/** Leaves the meters of these entitlements as they stand at `cause.now`, with all that came of it until then. */
export async function bringUpToDate({ tx, tenantId, ...by }: Cause, entitlementIds: readonly string[]): Promise<void> {
  const courses = [...(await loadCourses(tx, tenantId, entitlementIds)).values()]
  for (const course of courses) {
    course.by = { actor: by.actor, correlationId: by.correlationId, now: by.now }
    settle(course, by.now)
    // Written even when nothing came of it, so that it is due at another time.
    for (const meter of course.meters()) course.put(meter, {})
  }
  await writeCourses(tx, tenantId, courses)
}

/** Has what is due of an entitlement's meters done before its ledger is read: the clock may not have come to it yet. */
export async function catchUp(database: Database, { tenantId, now, correlationId }: Moment, entitlementId: string) {
  if (!(await isOverdue(database.read, tenantId, entitlementId, now))) return
  await database.transact((tx) => bringUpToDate({ tx, tenantId, now, actor: 'clock', correlationId }, [entitlementId]))
}

type Moment = Pick<Cause, 'tenantId' | 'now' | 'correlationId'>
