import { sql } from 'kysely'
import type { Readable } from '../../database/database.ts'
import type { EntitlementRow } from '../../entitlements/entitlements/loading.ts'
import { isSeatHeld, type SeatPolicy } from '../../entitlements/seats/holding.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { no, yes } from '../../kit/flags.ts'
import { listSeated } from '../seating/store.ts'
import { judgedColumns } from './admitting.ts'

/** Of the seats of an entitlement: how many are counted as taken, and how many of those have lapsed since somebody counted. */
export interface CountedSeats {
  taken: number
  lapsed: number
  /** Those of the lapsed that were taken by the code. */
  lapsedOfCode: number
}

type Asked = { tenantId: string; entitlementId: string; codeId: string; now: number }

/** The seats of an entitlement as they are counted, and as they are at `now` by its present policy. */
export async function countSeats(read: Readable, asked: Asked, policy: SeatPolicy): Promise<CountedSeats> {
  const [row] = await seats(read, asked)
  const taken = Number(row!.taken ?? 0)
  if (row!.is_reckoned !== 0) return { taken, lapsed: Number(row!.lapsed), lapsedOfCode: Number(row!.lapsed_of_code) }
  const seated = await listSeated(read, asked.tenantId, [asked.entitlementId])
  const lapsed = seated.filter((session) => !isSeatHeld(session, policy, asked.now))
  const ofCode = lapsed.filter((session) => session.activation_code_id === asked.codeId)
  return { taken, lapsed: lapsed.length, lapsedOfCode: ofCode.length }
}

const seats = compileOnce((read, { tenantId, entitlementId, codeId, now }: Asked) =>
  read
    .selectFrom('license_sessions')
    .select((eb) => [
      sql<number>`count(*)`.as('lapsed'),
      sql<number>`count(case when activation_code_id = ${codeId} then 1 end)`.as('lapsed_of_code'),
      eb
        .selectFrom('seat_counts')
        .select('seat_counts.taken')
        .where('seat_counts.entitlement_id', '=', entitlementId)
        .where('seat_counts.tenant_id', '=', tenantId)
        .as('taken'),
      eb
        .selectFrom('seat_counts')
        .select('seat_counts.is_reckoned')
        .where('seat_counts.entitlement_id', '=', entitlementId)
        .where('seat_counts.tenant_id', '=', tenantId)
        .as('is_reckoned'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('license_sessions.entitlement_id', '=', entitlementId)
    .where('is_seated', '=', yes)
    .where('seat_until', '<=', now),
)

/** The live entitlement of that id, of its columns only those that it is judged by. */
export async function findJudged(read: Readable, tenantId: string, id: string): Promise<EntitlementRow | undefined> {
  const [row] = await judged(read, { tenantId, id })
  return row as EntitlementRow | undefined
}

const judged = compileOnce((read, { tenantId, id }: { tenantId: string; id: string }) =>
  read
    .selectFrom('entitlements')
    .select(judgedColumns)
    .where('id', '=', id)
    .where('tenant_id', '=', tenantId)
    .where('is_offer', '=', no)
    .where('is_deleted', '=', no),
)
