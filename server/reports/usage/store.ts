import { sql } from 'kysely'
import type { Readable } from '../../database/database.ts'
import { inPieces, rowsOfPiece } from '../pieces.ts'
import type { Window } from '../window.ts'

const meterColumns = [
  'meters.id as meterId',
  'meters.entitlement_id as entitlementId',
  'meters.product_id as productId',
  'meters.metric_name as metricName',
  'meters.unit as unit',
  'meters.metered_usage as meteredUsage',
] as const

/** How each meter of the tenant stands, with its definition. */
export const meterStates = (read: Readable, tenantId: string) =>
  inPieces((after: { meterId: string } | undefined) =>
    read
      .selectFrom('meter_states')
      .innerJoin('meters', 'meters.id', 'meter_id')
      .where('meter_states.tenant_id', '=', tenantId)
      .where('meter_id', '>', after?.meterId ?? '')
      .select(meterColumns)
      .select(['usage', 'period_start as periodStart', 'unfunded_credits as unfunded'])
      .select(sql<number>`case when balance_usage is null then 0 else 1 end`.as('isBalance'))
      .orderBy('meter_id')
      .limit(rowsOfPiece)
      .execute(),
  )

/** The periods of meters that are over and began in the window. */
export const pastPeriods = (read: Readable, tenantId: string, { from, to }: Window) =>
  inPieces((after: { meterId: string; periodStart: number } | undefined) =>
    read
      .selectFrom('usage_periods')
      .innerJoin('meters', 'meters.id', 'meter_id')
      .where('usage_periods.tenant_id', '=', tenantId)
      .$if(after !== undefined, (periods) =>
        periods.where(sql<boolean>`(meter_id, period_start) > (${after!.meterId}, ${after!.periodStart})`),
      )
      .$if(from !== null, (periods) => periods.where('period_start', '>=', from))
      .$if(to !== null, (periods) => periods.where('period_start', '<', to))
      .select(meterColumns)
      .select(['usage', 'period_start as periodStart'])
      .orderBy('meter_id')
      .orderBy('period_start')
      .limit(rowsOfPiece)
      .execute(),
  )

/** What was consumed of balances in the window, entry by entry. */
export const consumptions = (read: Readable, tenantId: string, { from, to }: Window) =>
  inPieces((after: { meterId: string; id: string } | undefined) =>
    read
      .selectFrom('balance_entries')
      .innerJoin('meters', 'meters.id', 'meter_id')
      .where('balance_entries.tenant_id', '=', tenantId)
      .where('kind', '=', 'Consumption')
      .$if(after !== undefined, (entries) =>
        entries.where(sql<boolean>`(meter_id, balance_entries.id) > (${after!.meterId}, ${after!.id})`),
      )
      .$if(from !== null, (entries) => entries.where('occurred_at', '>=', from))
      .$if(to !== null, (entries) => entries.where('occurred_at', '<', to))
      .select(meterColumns)
      .select(['balance_entries.id as id', 'amount'])
      .orderBy('meter_id')
      .orderBy('balance_entries.id')
      .limit(rowsOfPiece)
      .execute(),
  )
