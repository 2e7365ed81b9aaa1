import { setTimeout as sleep } from 'node:timers/promises'
import { dueRows } from '../../kit/due-rows.ts'
import type { DueWork } from '../../kit/due-work.ts'
import { type Cause, recordEvents } from '../../kit/outbox.ts'
import { rowHead } from '../../kit/records/stamp.ts'
import { storeOf, writeRecords } from '../../kit/records/store.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { settle } from './settling.ts'
import { holdDue, takeDue } from './store.ts'

const mostAtOnce = 500
/** How long to leave entitlements alone that another process has in hand, before asking for them again. */
const pauseMillis = 5

const due = dueRows('entitlements', 'next_due_at')

/** What time does to entitlements by itself: notices, renewals, ends. */
export const entitlementsDue: DueWork = {
  ...due,

  hold: ({ tx, tenantId, now }) => holdDue(tx, tenantId, now),

  async run(cause, mustFinish) {
    const rows = await takeDue(cause.tx, cause.tenantId, cause.now, mostAtOnce)
    if (rows.length > 0) await settleAll(cause, rows)
    else if (mustFinish) await holdDue(cause.tx, cause.tenantId, cause.now)
    else if (await isInOtherHands(cause)) await sleep(pauseMillis)
  },
}

async function isInOtherHands({ tx, tenantId, now }: Cause): Promise<boolean> {
  const next = storeOf(tx) === 'postgres' ? await due.findNext(tx, tenantId) : undefined
  return next !== undefined && next <= now
}

async function settleAll(cause: Cause, rows: readonly EntitlementRow[]): Promise<void> {
  const settled = rows.map((before) => ({ before, ...settle(before, cause.now) }))
  const written = settled.map(({ row, before }) =>
    isChanged(row, before) ? { ...row, ...rowHead(row.id, before, cause) } : row,
  )
  await writeRecords(cause.tx, 'entitlements', written)
  await recordEvents(
    cause,
    settled.flatMap(({ happenings }) => happenings),
  )
}

/** Whether it is another record now; that a notice was given is no change of it. */
const isChanged = (row: EntitlementRow, before: EntitlementRow) =>
  row.status !== before.status || row.expiration_date_time !== before.expiration_date_time
