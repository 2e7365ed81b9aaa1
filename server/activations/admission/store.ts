import { sql } from 'kysely'
import type { Readable } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'

/** How many seats of an entitlement, and of a code, sessions hold at `now`. */
export interface TakenSeats {
  ofEntitlement: number
  ofCode: number
}

type Asked = { tenantId: string; entitlementId: string; codeId: string; now: number }

/** The seats that are taken: those that are counted, without those that have lapsed since somebody counted. */
export async function countSeats(read: Readable, asked: Asked): Promise<TakenSeats> {
  const [row] = await seats(read, asked)
  const { taken, used, lapsed, lapsed_of_code } = row!
  return { ofEntitlement: Number(taken ?? 0) - Number(lapsed), ofCode: Number(used ?? 0) - Number(lapsed_of_code) }
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
        .selectFrom('activation_codes')
        .select('activation_codes.used_activations')
        .where('activation_codes.id', '=', codeId)
        .where('activation_codes.tenant_id', '=', tenantId)
        .as('used'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('license_sessions.entitlement_id', '=', entitlementId)
    .where('is_seated', '=', sql.lit(1))
    .where('seat_until', '<=', now),
)
