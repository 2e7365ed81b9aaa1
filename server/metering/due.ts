import type { Readable, Tx } from '../database/database.ts'
import { dueRows } from '../kit/due-rows.ts'
import type { DueWork } from '../kit/due-work.ts'
import { no } from '../kit/flags.ts'
import type { Cause } from '../kit/outbox.ts'
import { storeOf } from '../kit/records/store.ts'
import { bringUpToDate } from './consumption/bringing-up.ts'

/** How many meters that are due are dealt with in one go. */
const mostAtOnce = 200
/** What time does to a meter is done at its own time, whoever does it and when; a day of a schedule that comes each minute takes a tenth of a second. */
const stride = 24 * 3_600_000

/** What time does to meters by itself: balances are filled on their schedules, suspensions end, levels fall with a new period. */
export const metersDue: DueWork = {
  ...dueRows('meter_states', 'due_at'),
  stride,

  async hold({ tx, tenantId, now }) {
    if (storeOf(tx) === 'sqlite') return
    await tx
      .selectFrom('meter_states')
      .select('meter_id')
      .where('tenant_id', '=', tenantId)
      .where('is_closed', '=', no)
      .where('entitlement_id', 'in', (due) =>
        due
          .selectFrom('meter_states as waiting')
          .select('waiting.entitlement_id')
          .where('waiting.tenant_id', '=', tenantId)
          .where('waiting.due_at', '<=', now),
      )
      .orderBy('meter_id')
      .forNoKeyUpdate()
      .execute()
  },

  async run(cause) {
    const ids = await listDue(cause)
    const free = await take(cause.tx, cause.tenantId, ids)
    // When all are in other hands it waits for the first: those hands may be waiting for meters that this transaction has.
    const entitlementIds = free.length > 0 ? free : ids.slice(0, 1)
    if (entitlementIds.length > 0) await bringUpToDate(cause, entitlementIds)
  },
}

/** Meters that something is due for, sooner or later. */
const waiting = (read: Readable) => read.selectFrom('meter_states').where('due_at', 'is not', null)

/** The entitlements with meters that something is due for by now, the longest waiting first. */
async function listDue({ tx, tenantId, now }: Cause): Promise<string[]> {
  const rows = await waiting(tx)
    .select('entitlement_id')
    .where('tenant_id', '=', tenantId)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(mostAtOnce)
    .execute()
  return [...new Set(rows.map((row) => row.entitlement_id))]
}

/**
 * Those of these entitlements whose meters nobody else has in hand, nor will until the transaction ends. Meters are locked
 * in the order of their ids: who has the first of an entitlement may have the others without waiting.
 */
async function take(tx: Tx, tenantId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0 || storeOf(tx) === 'sqlite') return [...ids]
  const rows = await tx
    .selectFrom('meter_states')
    .select('entitlement_id')
    .where('meter_id', 'in', (first) =>
      first
        .selectFrom('meter_states as open')
        .select((eb) => eb.fn.min('open.meter_id').as('meter_id'))
        .where('open.tenant_id', '=', tenantId)
        .where('open.entitlement_id', 'in', ids)
        .where('open.is_closed', '=', no)
        .groupBy('open.entitlement_id'),
    )
    .where('tenant_id', '=', tenantId)
    .orderBy('meter_id')
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  return rows.map((row) => row.entitlement_id)
}
