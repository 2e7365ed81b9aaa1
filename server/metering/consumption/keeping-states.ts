import type { Tx } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
import { insertStatements, runStatements, storeOf } from '../../kit/records/store.ts'
import type { MeterTables } from '../meters/tables.ts'
import type { StateRow } from './state-row.ts'

type MeterRow = MeterTables['meters']

/** Gives new meters a state: nothing used, no balance opened yet. */
export async function openStates(tx: Tx, meters: readonly MeterRow[]): Promise<void> {
  const rows = meters.map(
    (meter): StateRow => ({
      meter_id: meter.id,
      tenant_id: meter.tenant_id,
      entitlement_id: meter.entitlement_id,
      is_closed: 0,
      definition_revision: meter.revision_number,
      usage: '0',
      period_start: null,
      tier_marks: '{}',
      holds: '[]',
      level: null,
      suspended_until: null,
      total_credits: null,
      credits_used: '0',
      cumulative_credits_used: '0',
      unfunded_credits: '0',
      initial_credits_given: '0',
      last_unfunded_at: null,
      last_deposit_at: null,
      last_auto_balance_at: null,
      due_at: null,
    }),
  )
  await runStatements(tx, insertStatements(storeOf(tx), 'meter_states', rows))
}

/** Has meters follow their new definitions, which are written; what suspended them may allow more by now. */
export async function redefineStates(tx: Tx, tenantId: string, meterIds: readonly string[]): Promise<void> {
  if (meterIds.length > 0) await redefined(tx, { tenantId, ids: listed(tx, meterIds) })
}

/**
 * Has meters count from now on in the period that began at `start`, with what they have counted; null is a Lifetime. One that
 * began later keeps its start, under which nothing else has been put aside.
 */
export async function moveIntoPeriod(
  tx: Tx,
  tenantId: string,
  meterIds: readonly string[],
  start: number | null,
): Promise<void> {
  await moved(tx, { tenantId, ids: listed(tx, meterIds), start })
}

/** Closes meters: nothing is counted, nor becomes due. */
export async function closeStates(tx: Tx, tenantId: string, meterIds: readonly string[]): Promise<void> {
  if (meterIds.length > 0) await closed(tx, { tenantId, ids: listed(tx, meterIds) })
}

interface Meters extends Record<string, unknown> {
  tenantId: string
  ids: unknown
}

const redefined = compileOnce((tx, { tenantId, ids }: Meters) =>
  tx
    .updateTable('meter_states')
    .set(({ selectFrom }) => ({
      definition_revision: selectFrom('meters')
        .select('revision_number')
        .whereRef('meters.id', '=', 'meter_states.meter_id')
        .$asScalar()
        .$notNull(),
      suspended_until: null,
    }))
    .where(isTenants(tx, tenantId))
    .where(isAmong(tx, 'meter_id', ids)),
)

const moved = compileOnce((tx, { tenantId, ids, start }: Meters & { start: number | null }) =>
  tx
    .updateTable('meter_states')
    .set((eb) => ({
      period_start: eb.case().when('period_start', '>', start).then(eb.ref('period_start')).else(start).end(),
    }))
    .where(isTenants(tx, tenantId))
    .where(isAmong(tx, 'meter_id', ids)),
)

const closed = compileOnce((tx, { tenantId, ids }: Meters) =>
  tx
    .updateTable('meter_states')
    .set({ is_closed: 1, due_at: null })
    .where(isTenants(tx, tenantId))
    .where(isAmong(tx, 'meter_id', ids)),
)
