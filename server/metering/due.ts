import { setTimeout as sleep } from 'node:timers/promises'
import type { Readable, Tx } from '../database/database.ts'
import type { DueWork } from '../kit/due-work.ts'
import type { Cause } from '../kit/outbox.ts'
import { storeOf } from '../kit/records/store.ts'
import { settle } from './consumption/settling.ts'
import { loadCourses, writeCourses } from './consumption/store.ts'

/** How many entitlements are dealt with in one go. */
const mostAtOnce = 200
/** How long to leave meters alone that somebody else has in hand, before asking for them again. */
const pauseMillis = 5

/** What time does to meters by itself: balances are filled on their schedules, suspensions end, levels fall with a new period. */
export const metersDue: DueWork = {
  async findNext(read, tenantId) {
    const row = await waiting(read)
      .select('due_at')
      .where('tenant_id', '=', tenantId)
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst()
    return row?.due_at ?? undefined
  },

  async findTenants(read, realNow) {
    const rows = await read
      .selectFrom('tenants')
      .select('id')
      .where((tenant) =>
        tenant.exists(
          tenant
            .selectFrom('meter_states')
            .select('meter_id')
            .whereRef('meter_states.tenant_id', '=', 'tenants.id')
            .where((eb) => eb('due_at', '<=', eb('tenants.clock_offset', '+', realNow))),
        ),
      )
      .execute()
    return rows.map(({ id }) => id)
  },

  async run(cause) {
    const due = await listDue(cause)
    const ids = [...new Set(due.map((row) => row.entitlement_id))]
    const taken = await take(cause.tx, cause.tenantId, ids)
    if (taken.length > 0) await settleAll(cause, taken)
    else if (due.length > 0) await sleep(pauseMillis)
  },
}

/** Meters that something is due for, sooner or later. */
const waiting = (read: Readable) => read.selectFrom('meter_states').where('due_at', 'is not', null)

const listDue = ({ tx, tenantId, now }: Cause) =>
  waiting(tx)
    .select(['meter_id', 'entitlement_id'])
    .where('tenant_id', '=', tenantId)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(mostAtOnce)
    .execute()

/** Those of these entitlements of which nobody else has a meter in hand; nobody else has one from now on. It waits for no one, so that no two wait for each other. */
async function take(tx: Tx, tenantId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0 || storeOf(tx) === 'sqlite') return [...ids]
  const open = () =>
    tx
      .selectFrom('meter_states')
      .select('entitlement_id')
      .where('tenant_id', '=', tenantId)
      .where('entitlement_id', 'in', ids)
      .where('is_closed', '=', 0)
  const free = countBy(await open().orderBy('meter_id').forNoKeyUpdate().skipLocked().execute())
  const all = countBy(await open().execute())
  return ids.filter((id) => all.has(id) && free.get(id) === all.get(id))
}

function countBy(rows: readonly { entitlement_id: string }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { entitlement_id } of rows) counts.set(entitlement_id, (counts.get(entitlement_id) ?? 0) + 1)
  return counts
}

async function settleAll({ tx, tenantId, now, actor, correlationId }: Cause, ids: readonly string[]): Promise<void> {
  const courses = [...(await loadCourses(tx, tenantId, ids)).values()]
  for (const course of courses) {
    course.by = { actor, correlationId, now }
    settle(course, now)
    // Written even when nothing came of it, so that it is due at another time.
    for (const meter of course.meters()) course.put(meter, {})
  }
  await writeCourses(tx, tenantId, courses)
}
